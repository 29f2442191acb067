// The last empty squares: null windows only, with cheap move ordering. Scores are of the side to
// move, exact on their own side of the window.
#pragma once

#include "simd/othello_stability.h"

namespace sparring {
namespace {

// The quarters of a board. The last player to move in a region gains there; quarters with an odd
// number of empty squares are therefore tried first. Sets of quarters are four bits.
template <int N>
struct Quarters {
  using Grid = Lines<N>;
  using Bits = typename Grid::Bits;

  uint8_t of[Grid::kSquares] = {};  // the bit of a square's quarter
  Bits squares[16] = {};            // of a set of quarters

  constexpr Quarters() {
    for (int cell = 0; cell < Grid::kCells; ++cell) {
      const int square = Grid::Board::square_of(cell);
      const int quarter = (cell / N >= N / 2 ? 2 : 0) + (cell % N >= N / 2 ? 1 : 0);
      of[square] = static_cast<uint8_t>(1 << quarter);
      for (int set = 0; set < 16; ++set)
        if (set >> quarter & 1) squares[set] |= Grid::bit(square);
    }
  }
  // The quarters with an odd number of these squares.
  static int odd(Bits squares) {
    int set = 0;
    for (int quarter = 1; quarter < 16; quarter <<= 1)
      if (count_of(squares & kQuarters.squares[quarter]) & 1) set |= quarter;
    return set;
  }
  static const Quarters kQuarters;
};

template <int N>
inline constexpr Quarters<N> Quarters<N>::kQuarters{};

template <int N>
struct Endgame {
  using Grid = Lines<N>;
  using Bits = typename Grid::Bits;
  static constexpr int kCells = Grid::kCells;
  static constexpr int kNone = -1000;  // less than any score
  // Lead in discs from which counting the opponent's stable discs pays, by empty squares.
  static constexpr int kStabilityPays[] = {99, 99, 99, 99, 6, 8, 10, 12};
  static constexpr int kShallow = 7;  // most empty squares for shallow()

  static constexpr const auto& kQuarters = Quarters<N>::kQuarters;

  static int final_score(Bits own, Bits other) {
    const int mine = count_of(own), theirs = count_of(other);
    if (mine > theirs) return kCells - 2 * theirs;
    return mine < theirs ? 2 * mine - kCells : 0;
  }

  int64_t nodes = 0;

  // Tests whether the opponent's stable discs limit the side to move to alpha; `score` is that
  // limit.
  static bool hopeless(Bits own, Bits other, int alpha, int& score) {
    score = kCells - 2 * count_of(Stability<N>::discs(other, own));
    return score <= alpha;
  }

  // From five to kShallow empty squares.
  int shallow(Bits own, Bits other, int alpha, int empties, int odd, bool passed = false) {
    ++nodes;
    int bound;
    if (alpha >= kStabilityPays[empties] && hopeless(own, other, alpha, bound)) return bound;
    const Bits empty = Grid::kAll & ~(own | other);
    int best = kNone;
    const Bits in_turn[] = {empty & kQuarters.squares[odd], empty & ~kQuarters.squares[odd]};
    for (Bits left : in_turn)
      for (; left != 0; left &= left - 1) {
        const int square = first_of(left);
        if ((Grid::kTables.beside[square] & other) == 0) continue;
        const Bits flipped = Grid::flips(square, own, other);
        if (flipped == 0) continue;
        const Bits mover = own | flipped | Grid::bit(square), next = other & ~flipped;
        const int quarters = odd ^ kQuarters.of[square];
        const int score = empties == 5 ? -last_four(next, mover, -alpha - 1, quarters)
                                       : -shallow(next, mover, -alpha - 1, empties - 1, quarters);
        if (score > alpha) return score;
        if (score > best) best = score;
      }
    if (best != kNone) return best;
    if (passed) return -final_score(other, own);
    return -shallow(other, own, -alpha - 1, empties, odd, true);
  }

 private:
  int last_four(Bits own, Bits other, int alpha, int odd) {
    if (int bound; alpha >= kStabilityPays[4] && hopeless(own, other, alpha, bound)) {
      ++nodes;
      return bound;
    }
    const Bits empty = Grid::kAll & ~(own | other);
    uint32_t squares = 0;
    int at = 0;
    const Bits in_turn[] = {empty & kQuarters.squares[odd], empty & ~kQuarters.squares[odd]};
    for (Bits left : in_turn)
      for (; left != 0; left &= left - 1, at += 8)
        squares |= static_cast<uint32_t>(first_of(left)) << at;
    return last<4>(own, other, alpha, squares);
  }

  // `squares` holds the empty squares, eight bits each, in the order of trial.
  template <int kLeft>
  int last(Bits own, Bits other, int alpha, uint32_t squares, bool passed = false) {
    ++nodes;
    if constexpr (kLeft == 3) squares = odd_first(squares);
    int best = kNone;
    for (int i = 0; i < kLeft; ++i) {
      const int square = squares >> 8 * i & 255;
      if ((Grid::kTables.beside[square] & other) == 0) continue;
      const Bits flipped = Grid::flips(square, own, other);
      if (flipped == 0) continue;
      const uint32_t below = (1u << 8 * i) - 1;
      const uint32_t rest = (squares & below) | (squares >> 8 & ~below);
      const Bits next = other & ~flipped;
      int score;
      if constexpr (kLeft == 2)
        score = -last_one(next, -alpha - 1, static_cast<int>(rest));
      else
        score = -last<kLeft - 1>(next, own | flipped | Grid::bit(square), -alpha - 1, rest);
      if (score > alpha) return score;
      if (score > best) best = score;
    }
    if (best != kNone) return best;
    if (passed) return -final_score(other, own);
    return -last<kLeft>(other, own, -alpha - 1, squares, true);
  }

  // Puts first the one of three squares that is alone in its quarter.
  static uint32_t odd_first(uint32_t squares) {
    const uint32_t a = squares & 255, b = squares >> 8 & 255, c = squares >> 16;
    if (kQuarters.of[a] == kQuarters.of[b]) return c | a << 8 | b << 16;
    if (kQuarters.of[a] == kQuarters.of[c]) return b | a << 8 | c << 16;
    return squares;
  }

  // The opponent has all squares except own's and this one.
  int last_one(Bits own, int alpha, int square) {
    ++nodes;
    const int none = 2 * count_of(own) - kCells;  // the score if the opponent gets the square
    const int flips = Grid::last_flips(square, own);
    if (flips != 0) return none + 2 * flips + 2;
    const int both_pass = none >= 0 ? none + 2 : none;
    if (both_pass <= alpha) return both_pass;  // the opponent can only make it worse
    const int lost = Grid::last_flips(square, Grid::kAll & ~own);
    return lost == 0 ? both_pass : none - 2 * lost;
  }
};

}  // namespace
}  // namespace sparring
