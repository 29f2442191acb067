// Exact play of Connect4 on boards of one height: null-window searches by bits, with a table.
//
// Scores are the side to move's: a win by the last disc that fits is 1, one more for every two
// discs earlier. Four ideas keep the tree small (the first three are in Allis, "A Knowledge-Based
// Approach of Connect-Four", and in Pons' articles):
// - moves that let the opponent win at once are never tried, and against a threat only the answer
//   is;
// - moves that add more completing cells come first, the middle before the edges;
// - follow-up: with an even number of cells left in every column, the opponent can answer each move
//   by the cell above it; the mover then gets only every other cell;
// - the table is probed for the answers to all moves before any search. It never blocks or prints;
//   it reads the clock only through its budget.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "connect4/connect4_board.h"
#include "solvers/connect4_table.h"
#include "solvers/solve_budget.h"

namespace sparring {

template <int Height>
class Connect4Scout {
 public:
  using Bits = Connect4Board::Bits;

  Connect4Scout(const Connect4Board& shape, Connect4Table& table, SolveBudget& budget)
      : width_(shape.width),
        area_(shape.width * Height),
        bottom_(shape.bottom),
        cells_(shape.cells),
        table_(table),
        budget_(budget) {
    for (int row = Height - 1; row >= 0; row -= 2) answers_ |= bottom_ << row;
  }

  // Bounds on the score of an unfinished game without a search: [low, high].
  ScoreBounds outlook(Bits own, Bits all) const {
    const int discs = std::popcount(all);
    const Bits playable = (all + bottom_) & cells_;
    const int win = win_score(discs);
    if ((winning_cells(own, all) & playable) != 0) return {win, win};
    const int loss = discs + 1 < area_ ? -win_score(discs + 1) : 0;
    if (safe_moves(all, winning_cells(own ^ all, all)) == 0) return {loss, loss};
    return {worst(discs), best(discs)};
  }

  // Decides whether an unfinished game's score is at least `beta`: a result of `beta` or more is a
  // lower bound of the score, any other an upper bound. Meaningless once the budget is spent.
  int bound(Bits own, Bits all, int beta) {
    const ScoreBounds known = outlook(own, all);
    if (known.low >= beta) return known.low;
    if (known.high < beta) return known.high;
    const Bits threats = winning_cells(own ^ all, all);
    const int discs = std::popcount(all);
    return search({own, all, safe_moves(all, threats), key_of(own, all, discs)}, discs, beta);
  }

 private:
  // A position without an immediate win, not yet lost: `moves` do not lose at once.
  struct Place {
    Bits own, all;
    Bits moves;
    std::uint64_t key;
  };

  // With fewer empty cells a search is quicker than a probe, which waits for memory.
  static constexpr int kFewestEmptyKept = 12;
  // With fewer, probing for all answers first costs more than it saves.
  static constexpr int kFewestEmptyAhead = 22;
  // Later in the game mirrored positions hardly occur.
  static constexpr int kMirroredDiscs = 14;
  static constexpr int kWidest = 16;

  // Score of the side that wins by the disc played onto `discs` others.
  int win_score(int discs) const { return (area_ + 1 - discs) / 2; }
  // Bounds for positions without an immediate win of either side.
  int best(int discs) const { return discs + 2 < area_ ? win_score(discs + 2) : 0; }
  int worst(int discs) const { return discs + 3 < area_ ? -win_score(discs + 3) : 0; }

  Bits winning_cells(Bits discs, Bits all) const {
    return Connect4Board::completions(discs, Height) & (cells_ ^ all);
  }
  // Moves after which an opponent with these threats does not win at once.
  Bits safe_moves(Bits all, Bits threats) const {
    const Bits playable = (all + bottom_) & cells_;
    const Bits forced = playable & threats;
    if ((forced & (forced - 1)) != 0) return 0;
    return (forced != 0 ? forced : playable) & ~(threats >> 1);
  }

  std::uint64_t key_of(Bits own, Bits all, int discs) const {
    Bits code = own + all + bottom_;  // the highest bit of each column ends its pile
    if (discs <= kMirroredDiscs) code = std::min(code, mirrored(code));
    return Connect4Table::key_of(code);
  }
  Bits mirrored(Bits bits) const {
    constexpr int kRise = Height + 1;
    constexpr Bits kColumn = (Bits{1} << kRise) - 1;
    Bits turned = 0;
    for (int column = 0; column < width_; ++column)
      turned |= (bits >> column * kRise & kColumn) << (width_ - 1 - column) * kRise;
    return turned;
  }

  // Narrows the bounds by the lines of four that are still possible.
  void judge_lines(const Place& place, ScoreBounds& bounds) const {
    const Bits empty = cells_ ^ place.all;
    const Bits other = place.own ^ place.all;
    const auto has_four = [](Bits discs) { return Connect4Board::has_four(discs, Height); };
    if (((place.all + bottom_) & answers_) == 0) {
      // Every column has an even number of cells left: the opponent may follow up.
      if (!has_four(place.own | (empty & ~answers_)))
        bounds.high = std::min(bounds.high, has_four(other | (empty & answers_)) ? -1 : 0);
    } else if (bounds.high > 0 && !has_four(place.own | empty)) {
      bounds.high = 0;
    }
    if (bounds.low < 0 && !has_four(other | empty)) bounds.low = 0;
  }

  // As bound().
  int search(const Place& place, int discs, int beta) {
    if (budget_.enter()) return 0;
    if (discs + 2 >= area_) return 0;
    ScoreBounds bounds{worst(discs), best(discs)};
    judge_lines(place, bounds);
    const bool kept = discs + kFewestEmptyKept <= area_;
    if (bounds.low < beta && bounds.high >= beta && kept) narrow(place.key, bounds);
    if (bounds.low >= beta) return bounds.low;
    if (bounds.high < beta) return bounds.high;

    Place answers[kWidest];
    const int count = expand(place, discs, answers);
    if (count < 0) return best(discs);
    const int score = try_moves(answers, count, discs, beta, bounds);
    if (kept && !budget_.spent())
      table_.store(place.key, score >= beta ? ScoreBounds{score, bounds.high}
                                            : ScoreBounds{bounds.low, score});
    return score;
  }

  void narrow(std::uint64_t key, ScoreBounds& bounds) const {
    ScoreBounds known;
    if (!table_.find(key, known)) return;
    bounds.low = std::max(bounds.low, known.low);
    bounds.high = std::min(bounds.high, known.high);
  }

  // The positions after each move, the most promising first; -1 if one of them is lost.
  int expand(const Place& place, int discs, Place* answers) const {
    const bool kept = discs + 1 + kFewestEmptyKept <= area_;
    int values[kWidest];
    int count = 0;
    for (Bits left = place.moves; left != 0; left &= left - 1) {
      const Bits move = left & (~left + 1);
      const Bits all = place.all | move;
      const Bits threats = winning_cells(place.own | move, all);
      Place answer{place.own ^ place.all, all, safe_moves(all, threats), 0};
      if (answer.moves == 0) return -1;
      if (kept) {
        answer.key = key_of(answer.own, all, discs + 1);
        table_.prefetch(answer.key);
      }
      const int column = std::countr_zero(move) / (Height + 1);
      const int value = kWidest * std::popcount(threats) - std::abs(2 * column - (width_ - 1));
      int rank = count++;
      for (; rank > 0 && values[rank - 1] < value; --rank) {
        values[rank] = values[rank - 1];
        answers[rank] = answers[rank - 1];
      }
      values[rank] = value;
      answers[rank] = answer;
    }
    return count;
  }

  // The best score of these moves up to `beta`, within the bounds.
  int try_moves(Place* answers, int count, int discs, int beta, const ScoreBounds& bounds) {
    int score = bounds.low;
    if (count > 1 && discs + kFewestEmptyAhead <= area_) {
      int unknown = 0;
      for (int i = 0; i < count; ++i) {
        ScoreBounds known;
        if (table_.find(answers[i].key, known)) {
          score = std::max(score, -known.high);
          if (-known.high >= beta) return std::min(score, bounds.high);
          if (-known.low < beta) {
            score = std::max(score, -known.low);
            continue;
          }
        }
        answers[unknown++] = answers[i];
      }
      count = unknown;
    }
    for (int i = 0; i < count && score < beta; ++i)
      score = std::max(score, -search(answers[i], discs + 1, 1 - beta));
    return std::min(score, bounds.high);
  }

  int width_;
  int area_;
  Bits bottom_;
  Bits cells_;
  Bits answers_ = 0;  // the cells of the following side: the topmost, and every other below it
  Connect4Table& table_;
  SolveBudget& budget_;
};

}  // namespace sparring
