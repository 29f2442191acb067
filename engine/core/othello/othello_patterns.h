// What a square Othello board looks like in pieces: edges, corners, lines and diagonals, each as a
// number. A linear evaluation looks its weights up by them (othello_linear.h).
//
// Boards are bitboards with 8 bits a row, also the smaller ones; own and other are the discs of the
// side to move and of its opponent. A piece of n cells has 3^n states, digit 0 empty, 1 own, 2
// other. The same kind of piece has the same weights in every place and in its mirror image.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sparring {

// One kind of piece: where its states begin among all, and how many there are.
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
  // All in four places, but for the corner blocks (eight) and the longest diagonal (two).
  static constexpr int kPieces = 4 * kKinds + 4 - 2;

  using Indices = std::array<std::uint32_t, kPieces>;

  OthelloPatterns();

  static const std::array<PatternKind, kKinds>& kinds();
  static int states();  // of all kinds together

  // The number of each piece, among the states of all kinds.
  void read(std::uint64_t own, std::uint64_t other, Indices& out) const;

  // [states]: the state with which each shares its weight, the lesser of it and its mirror image.
  static std::vector<std::uint32_t> shared_states();

 private:
  // Base 3 of up to 10 bits, and of two groups of 5 bits each read backwards.
  std::array<std::uint16_t, 1024> ternary_;
  std::array<std::uint16_t, 1024> ternary_of_mirrored_;
};

}  // namespace sparring
