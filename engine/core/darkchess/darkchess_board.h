// A board of dark chess without history: face-up pieces, face-down ones, and the color to move.
// Flips take their outcome as an argument; the board draws nothing.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/random.h"
#include "darkchess/geometry.h"
#include "darkchess/pieces.h"

namespace sparring {

// A legal action: a step or a jump, or a flip, with from == to.
struct DarkChessAction {
  std::uint8_t from, to;

  bool is_flip() const { return from == to; }
  bool operator==(const DarkChessAction&) const = default;
};

// The legal actions of a position.
class DarkChessActions {
 public:
  // 16 cannons with a step and a jump in each direction, and 16 flips.
  static constexpr int kMost = 16 * 8 + 16;

  void add(int from, int to) {
    actions_[size_++] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
  }
  int size() const { return size_; }
  const DarkChessAction& operator[](int i) const { return actions_[i]; }
  const DarkChessAction* begin() const { return actions_.data(); }
  const DarkChessAction* end() const { return actions_.data() + size_; }

 private:
  std::array<DarkChessAction, kMost> actions_;
  int size_ = 0;
};

struct DarkChessBoard {
  using Bits = DarkChessGeometry::Bits;
  static constexpr int kNoColor = -1;

  // The start: all pieces face down, both sides with the same material, which fills the board.
  DarkChessBoard(const DarkChessGeometry& of, const KindCounts& material);

  const DarkChessGeometry* geometry;
  std::array<Bits, kPieceCodes> pieces{};  // face-up ones, by code
  std::array<Bits, 2> colors{};            // face-up ones, by color
  Bits hidden = 0;                         // face-down ones
  CodeCounts pool{};                       // pieces not yet revealed, captured ones not included
  std::int8_t color = kNoColor;            // to move; kNoColor before the first flip

  bool operator==(const DarkChessBoard&) const = default;

  Bits occupied() const { return colors[0] | colors[1] | hidden; }
  Bits empty() const { return geometry->all & ~occupied(); }
  int hidden_count() const { return std::popcount(hidden); }
  // The code of the face-up piece on a cell; -1 for none.
  int code_at(int cell) const;
  // Tests whether a color has a piece, face-up or not yet revealed.
  bool has_pieces(int of_color) const;
  int pool_of(int of_color) const;
  // The face-up enemies that a piece of this color and kind captures by a step.
  Bits step_victims(int of_color, int kind) const {
    Bits victims = 0;
    for (int victim = 0; victim < kDarkChessKinds; ++victim)
      if (captures_by_step(kind, victim)) victims |= pieces[piece_code(1 - of_color, victim)];
    return victims;
  }
  // The face-up enemies that a cannon of this color captures from a cell, over one piece of any
  // color, face-up or not.
  Bits jump_victims(int of_color, int cell) const;
  // The cells that the face-up piece of this code reaches from a cell.
  Bits targets(int code, int cell) const {
    const int kind = kind_of(code), of_color = color_of(code);
    Bits to = geometry->neighbours[cell] & (empty() | step_victims(of_color, kind));
    if (kind == kCannon) to |= jump_victims(of_color, cell);
    return to;
  }
  // Tests whether an enemy could capture a piece of this code on this cell by a step.
  bool is_exposed(int code, int cell) const;

  bool is_legal(const DarkChessAction& action, int of_color) const;
  DarkChessActions actions(int of_color) const;
  DarkChessActions actions() const { return actions(color); }
  bool has_action() const;
  // The captures among the actions of the color to move.
  DarkChessActions captures() const;
  // Any step onto an empty cell or flip of the color to move, each with equal probability. Returns
  // false, with `out` unchanged, if there is none.
  bool random_quiet(Random& random, DarkChessAction& out) const;
  // Any action of the color to move, each with equal probability; there must be one.
  DarkChessAction random_action(Random& random) const;
  // A code of the pool, each piece with equal probability; the pool must not be empty.
  int draw(Random& random) const;

  // Plays a legal step or jump of the color to move. Returns the code of the captured piece, or -1.
  int move(int from, int to);
  // Turns up the piece on a face-down cell, of a code in the pool. The first flip of a game gives
  // its color to the side that flips.
  void flip(int cell, int code);
  void play(const DarkChessAction& action, int code) {
    action.is_flip() ? flip(action.from, code) : static_cast<void>(move(action.from, action.to));
  }

  // The board after a symmetry of game/symmetry.h, the colors exchanged too if wanted.
  DarkChessBoard image(int symmetry, bool exchanges_colors) const;

  // Hashes of the pieces and the pool, without and with the color to move.
  std::uint64_t pieces_hash() const;
  std::uint64_t hash() const { return mix64(pieces_hash() + 2 + color); }
};

}  // namespace sparring
