// Numbering of all positions of a small dark chess: at most 8 cells, both sides with the same
// material. A position is told from the side to move: its own pieces, then the opponent's.
//
// A layer holds the positions with the same unrevealed and the same face-up pieces. Its positions
// are numbered by the face-down cells, then by the cells of each type in turn: each set of cells
// has its rank among those of its size in the cells left free.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "darkchess/darkchess_board.h"

namespace sparring {

// A position, from the side to move. Type t < types is an own piece, types + t the opponent's.
struct SmallDarkChess {
  static constexpr int kMostTypes = 8;

  std::uint8_t hidden = 0;                       // face-down cells
  std::array<std::uint8_t, kMostTypes> cells{};  // of face-up pieces by type
  std::array<std::uint8_t, kMostTypes> pool{};   // unrevealed pieces by type
};

// Positions with the same pieces.
struct DarkChessLayer {
  std::int64_t first = 0;  // number of its first position
  std::int64_t size = 0;
  int pieces = 0;  // face-up and unrevealed
  int hidden = 0;  // unrevealed
  std::array<std::uint8_t, SmallDarkChess::kMostTypes> pool{};
  std::array<std::uint8_t, SmallDarkChess::kMostTypes> face_up{};
  int used = 0;                                                   // types with face-up pieces
  std::array<std::uint8_t, SmallDarkChess::kMostTypes> type{};    // those types
  std::array<std::int32_t, SmallDarkChess::kMostTypes> stride{};  // of their ranks
  std::int32_t hidden_stride = 1;
};

class DarkChessLayers {
 public:
  static constexpr int kMostCells = 8;

  // The layers in which each side has a piece. The material is at most 4 pieces of 4 kinds.
  DarkChessLayers(const DarkChessGeometry& geometry, const KindCounts& material);

  int types() const { return types_; }  // of one side
  int kind(int type) const { return kinds_[type % types_]; }
  int opposite(int type) const { return type < types_ ? type + types_ : type - types_; }
  std::int64_t positions() const { return positions_; }
  // In an order in which captures and flips lead to earlier ones.
  const std::vector<int>& order() const { return order_; }
  const DarkChessLayer& layer(int id) const { return layers_[id]; }

  // ---- Layers of other pieces, by the id of the layer; each must exist.
  // With the sides exchanged.
  int exchanged(int id) const { return id % half_ * half_ + id / half_; }
  // With an unrevealed piece of the type turned up.
  int revealed(int id, int type) const { return id - pool_step_[type] + face_step_[type]; }
  // Without a face-up piece of the type.
  int captured(int id, int type) const { return id - face_step_[type]; }
  int id_of(const SmallDarkChess& position) const;

  // ---- Positions of a layer, numbered from 0.
  std::int64_t rank(const DarkChessLayer& layer, const SmallDarkChess& position) const;
  SmallDarkChess at(const DarkChessLayer& layer, std::int64_t rank) const;

  // The position of a board whose pieces are among the material; a color is to move.
  SmallDarkChess of_board(const DarkChessBoard& board) const;

 private:
  int types_ = 0;
  int cells_;
  int half_ = 1;  // combinations of one side's unrevealed and face-up numbers
  std::array<int, kDarkChessKinds> kinds_{};
  std::array<int, SmallDarkChess::kMostTypes> pool_step_{}, face_step_{};
  std::vector<DarkChessLayer> layers_;  // by id; size 0 for none
  std::vector<int> order_;
  std::int64_t positions_ = 0;
};

// Exchanges the sides.
inline SmallDarkChess exchanged(const SmallDarkChess& position, int types) {
  SmallDarkChess out;
  out.hidden = position.hidden;
  for (int type = 0; type < types; ++type) {
    out.cells[type] = position.cells[type + types];
    out.cells[type + types] = position.cells[type];
    out.pool[type] = position.pool[type + types];
    out.pool[type + types] = position.pool[type];
  }
  return out;
}

}  // namespace sparring
