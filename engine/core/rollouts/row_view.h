// One position's inputs and outputs for an evaluator without a network: the raw arrays of
// engine/games/evaluator.py, the side to move's view, with multipliers of 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sparring {

struct RowView {
  const std::uint8_t* spatial;  // [planes, area]: plane 1 own discs, plane 2 the opponent's
  const float* globals;         // [globals]
  float* policy;                // [moves], logits
  float* value;                 // [3]
  float* misc;                  // [6]
  float* ownership;             // [area]
};

// The estimated outcome of a position.
struct Estimate {
  double wins = 0.5;       // share of games won; a draw is half a win
  double score = 0;        // points, mean
  double deviation = 1.0;  // points, of the score
};

inline void write_estimate(const Estimate& estimate, const RowView& row) {
  row.value[0] = static_cast<float>(std::log(std::max(estimate.wins, 1e-6)));
  row.value[1] = static_cast<float>(std::log(std::max(1.0 - estimate.wins, 1e-6)));
  row.value[2] = -30.0f;
  std::fill(row.misc, row.misc + 6, 0.0f);
  row.misc[0] = static_cast<float>(estimate.score);
  // The reader applies softplus.
  const double deviation = std::max(estimate.deviation, 1e-3);
  row.misc[1] = static_cast<float>(deviation + std::log1p(-std::exp(-deviation)));
  row.misc[2] = row.misc[0];
}

// Ownership -1..1; the reader applies tanh.
inline float before_tanh(double share) {
  return static_cast<float>(std::atanh(std::clamp(share, -0.995, 0.995)));
}

}  // namespace sparring
