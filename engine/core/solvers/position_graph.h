// All positions that play reaches from the start of a small dark chess, as a graph of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "solvers/solve_darkchess.h"

namespace sparring {

// An outcome of an action, with a weight; its probability is the weight's share.
struct GraphOutcome {
  static constexpr std::int32_t kWon = -1;  // the side of the action has won

  std::int32_t position;
  std::int32_t weight;
};

struct GraphAction {
  std::int16_t move;      // 0..moves() - 1
  std::int16_t outcomes;  // 1 without chance
  std::int32_t first_outcome;
  std::int32_t weight;  // sum of the outcomes'
  bool is_quiet;        // neither a flip nor a capture
};

class PositionGraph {
 public:
  static constexpr int kMostPositions = 2'000'000;
  static constexpr int kSymmetries = 8;  // bits 0 and 1 mirror the board, bit 2 exchanges colors

  // Throws std::invalid_argument if there are more positions.
  PositionGraph(const DarkChessGeometry& geometry, const KindCounts& material);

  // Positions have numbers from 0, the start.
  int positions() const { return static_cast<int>(boards_.size()); }
  int moves() const { return moves_; }
  const DarkChessBoard& board(int position) const { return boards_[position]; }
  std::span<const GraphAction> actions(int position) const {
    return {actions_.data() + first_action_[position],
            actions_.data() + first_action_[position + 1]};
  }
  std::span<const GraphOutcome> outcomes(const GraphAction& action) const {
    return {outcomes_.data() + action.first_outcome, static_cast<std::size_t>(action.outcomes)};
  }
  // A position, and a move, after a symmetry.
  int image(int position, int symmetry) const { return images_[symmetry][position]; }
  int image_of_move(int move, int symmetry) const { return move_images_[symmetry][move]; }

  // The values of all positions for the side to move, multiples of 1 / SolvedDarkChess::kWhole.
  std::vector<int> values(const SolvedDarkChess& solution) const;
  // The value of an action for its side, times its weight, by the values of positions.
  std::int64_t weighed_value(const GraphAction& action, const std::vector<int>& values) const;

 private:
  void add_actions(const DarkChessBoard& board);
  GraphOutcome outcome(const DarkChessBoard& after, int weight);
  void find_images();

  int moves_;
  std::vector<DarkChessBoard> boards_;
  std::vector<std::int32_t> first_action_;
  std::vector<GraphAction> actions_;
  std::vector<GraphOutcome> outcomes_;
  std::vector<std::vector<std::int32_t>> images_;
  std::vector<std::vector<std::int16_t>> move_images_;
  std::unordered_map<std::uint64_t, std::int32_t> numbers_;  // by hash
};

}  // namespace sparring
