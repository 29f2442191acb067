// Rollouts of Othello from a row of planes, by Roxanne's policy, and their results for the side to
// move.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "agents/roxanne.h"
#include "rollouts/row_view.h"

namespace sparring {

template <int N>
OthelloBoard<N> read_board(const std::uint8_t* spatial) {
  OthelloBoard<N> board;
  for (int cell = 0; cell < N * N; ++cell) {
    const auto bit = OthelloBoard<N>::bit(OthelloBoard<N>::square_of(cell));
    if (spatial[N * N + cell]) board.own |= bit;
    if (spatial[2 * N * N + cell]) board.other |= bit;
  }
  return board;
}

// A generator seeded by the board and the seed.
template <int N>
Random generator_of(const OthelloBoard<N>& board, std::uint64_t seed) {
  for (const auto discs : {board.own, board.other}) {
    seed = mix64(seed ^ static_cast<std::uint64_t>(discs));
    if constexpr (N > 8) seed = mix64(seed ^ static_cast<std::uint64_t>(discs >> 64));
  }
  return Random(seed);
}

// The lead of the side to move in discs; empty squares count for the winner.
template <int N>
int final_score(const OthelloBoard<N>& board) {
  const int lead = board.count_own() - board.count_other();
  return lead > 0 ? lead + board.count_empty() : lead < 0 ? lead - board.count_empty() : 0;
}

// The results of several games from one position, for its side to move.
template <int N>
class QuickGames {
 public:
  QuickGames(const OthelloBoard<N>& board, int games, Random& random) : games_(games) {
    for (int i = 0; i < games; ++i) {
      OthelloState<N> state(board);
      bool turned = false;
      for (; !state.is_over(); turned = !turned) play_roxanne(state, random);
      add(turned ? state.board().swapped() : state.board());
    }
  }

  // A drawn game is added: a few games must not give certainty.
  Estimate estimate() const {
    const double mean = score_ / games_;
    const double spread = score_square_ / games_ - mean * mean;
    return {(wins_ + 0.5) / (games_ + 1), mean, std::sqrt(spread + 4.0 * N)};
  }
  void write_ownership(float* out) const {
    for (int cell = 0; cell < N * N; ++cell)
      out[cell] = before_tanh(static_cast<double>(owned_[cell]) / games_);
  }

 private:
  void add(const OthelloBoard<N>& board) {
    const int score = final_score(board);
    wins_ += score > 0 ? 1 : score < 0 ? 0 : 0.5;
    score_ += score;
    score_square_ += score * score;
    for (auto own = board.own; own != 0; own &= own - 1)
      owned_[OthelloBoard<N>::cell_of(lowest_bit(own))] += 1;
    for (auto other = board.other; other != 0; other &= other - 1)
      owned_[OthelloBoard<N>::cell_of(lowest_bit(other))] -= 1;
  }

  double games_;
  double wins_ = 0, score_ = 0, score_square_ = 0;
  std::array<int, N * N> owned_{};
};

}  // namespace sparring
