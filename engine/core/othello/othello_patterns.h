// Patterns of a square Othello board: edges, corners, lines and diagonals, each as a number. A
// linear evaluation has a weight for each (othello_linear.h).
//
// Boards are bitboards with 8 bits a row, also the smaller ones; own and other are the discs of the
// side to move and of its opponent. A piece of n cells has 3^n states, digit 0 empty, 1 own, 2
// other. The same kind of piece has the same weights in every place and in its mirror image.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sparring {

// One kind of piece: the index of its first state among all, and the number of its states.
struct PatternKind {
  int first;
  int states;
};

template <int N>
class OthelloPatterns {
  static_assert(N == 6 || N == 8);

 public:
  // Edge with the two squares diagonal to its corners; corner; the lines within; the diagonals.
  static constexpr int kLines = N / 2 - 1;
  static constexpr int kDiagonals = N - 3;  // of 4 cells or more
  static constexpr int kKinds = 3 + kLines + kDiagonals;
  // Each kind is in four places, but the corner block in eight and the longest diagonal in two.
  static constexpr int kPieces = 4 * kKinds + 4 - 2;

  using Indices = std::array<std::uint32_t, kPieces>;

  OthelloPatterns();

  static const std::array<PatternKind, kKinds>& kinds();
  static int states();  // of all kinds together

  // Writes the state of each piece, numbered among the states of all kinds.
  void read(std::uint64_t own, std::uint64_t other, Indices& out) const;

  // [states]: for each state, the lesser of it and its mirror image; the two share a weight.
  static std::vector<std::uint32_t> shared_states();

 private:
  // Base 3 of up to 10 bits, and of two groups of 5 bits each read backwards.
  std::array<std::uint16_t, 1024> ternary_;
  std::array<std::uint16_t, 1024> ternary_of_mirrored_;
};

}  // namespace sparring
