// Dark chess without a network: positions judged by DarkKnight's techniques (Hsueh 2019, chapter
// 2). The value is the mean of playouts with early ends and the sigmoid of the lead in weights, as
// in its implicit minimax backups; the policy follows the heuristic of its progressive bias.
#pragma once

#include <cstdint>

#include "agents/dark_knight.h"
#include "rollouts/row_view.h"

namespace sparring {

struct DarkChessJudging {
  int rollouts;           // playouts a row
  double material_share;  // of the lead in weights in the value; the rest is the playouts'
  double material_scale;  // of the lead: 2 / (1 + exp(-scale lead)) - 1
  double policy_scale;    // units of the heuristic that make a move e times as likely
  std::uint64_t seed;
};

class DarkChessRollouts {
 public:
  static constexpr int kPlanes = DarkChessPosition::kPlanes, kGlobals = DarkChessPosition::kGlobals;

  // Equal rows and seeds give equal outputs. The material is within the usual one.
  DarkChessRollouts(int width, int height, const KindCounts& material,
                    const DarkChessJudging& judging);

  int area() const { return start_.geometry->cells; }
  int moves() const { return start_.geometry->move_count(); }

  void evaluate(const RowView& row) const;

 private:
  // The board of a row; its side to move is Red.
  DarkChessBoard read_board(const RowView& row) const;
  // The mean result for the side to move, -1..1.
  double value_of(const DarkChessBoard& board, int quiet) const;

  DarkChessBoard start_;
  KindCounts material_;
  DarkChessJudging judging_;
  DarkKnightSettings settings_;
};

}  // namespace sparring
