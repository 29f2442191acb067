// A linear evaluation of Othello: the final lead in discs of the side to move, summed from the
// patterns of the board (othello_patterns.h) and the mobility of both sides. Each stage of the
// game, by the number of discs, has its own weights. They are learned from games by
// engine/training/othello/othello_patterns.py.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "othello/othello_board.h"
#include "othello/othello_patterns.h"

namespace sparring {

template <int N>
class OthelloLinear {
 public:
  using Board = OthelloBoard<N>;
  static constexpr int kStageDiscs = 6;
  static constexpr int kStages = (N * N - 4 + kStageDiscs - 1) / kStageDiscs;
  // 1, moves of both sides, empty squares beside discs of either, 1 if all empty ones are odd in
  // number.
  static constexpr int kCounts = 6;
  using Counts = std::array<float, kCounts>;
  static constexpr float kUnit = 1.0f / 256;  // discs per unit of a weight

  // Weights [stages, states + counts]. Throws std::invalid_argument on any other number of them.
  explicit OthelloLinear(std::vector<std::int16_t> weights) : weights_(std::move(weights)) {
    if (weights_.size() != static_cast<std::size_t>(kStages) * width())
      throw std::invalid_argument("the evaluation has another number of weights");
  }

  static int width() { return OthelloPatterns<N>::states() + kCounts; }

  static int stage(int discs) { return std::min((discs - 4) / kStageDiscs, kStages - 1); }

  static Counts count(const Board& board) {
    return {1.0f,
            static_cast<float>(count_bits(board.moves())),
            static_cast<float>(count_bits(board.swapped().moves())),
            static_cast<float>(count_bits(beside(board.other) & board.empty())),
            static_cast<float>(count_bits(beside(board.own) & board.empty())),
            static_cast<float>(board.count_empty() % 2)};
  }

  static const OthelloPatterns<N>& patterns() {
    static const OthelloPatterns<N> table;
    return table;
  }

  // The final lead in discs of the side to move, with empty squares for the winner.
  float score(const Board& board) const {
    const std::int16_t* weights =
        weights_.data() + static_cast<std::size_t>(stage(N * N - board.count_empty())) * width();
    typename OthelloPatterns<N>::Indices pieces;
    patterns().read(board.own, board.other, pieces);
    int sum = 0;
    for (const std::uint32_t piece : pieces) sum += weights[piece];
    float score = static_cast<float>(sum);
    const Counts counts = count(board);
    const std::int16_t* of_counts = weights + OthelloPatterns<N>::states();
    for (int i = 0; i < kCounts; ++i) score += counts[i] * of_counts[i];
    return std::clamp(score * kUnit, -static_cast<float>(N * N), static_cast<float>(N * N));
  }

 private:
  static typename Board::Bits beside(typename Board::Bits discs) {
    constexpr auto kInner = Board::inner_columns();
    constexpr auto kLeft = [] {
      typename Board::Bits column = 0;
      for (int y = 0; y < N; ++y) column |= Board::bit(y * Board::kRow);
      return column;
    }();
    constexpr auto kRight = kLeft << (N - 1);
    auto wide = discs | (discs & (kInner | kLeft)) << 1 | (discs & (kInner | kRight)) >> 1;
    wide |= wide << Board::kRow | wide >> Board::kRow;
    return wide;
  }

  std::vector<std::int16_t> weights_;
};

}  // namespace sparring
