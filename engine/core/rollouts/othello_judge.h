// Othello without a network, on 6x6 and 8x8: positions judged by the linear evaluation of the
// boards one move on; these evaluations are the policy too. Rollouts give the ownership.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "othello/othello_linear.h"
#include "rollouts/row_view.h"

namespace sparring {

// The units of an evaluation in discs.
struct JudgeScales {
  std::vector<float> win;        // of each stage: discs by which the odds of winning grow e-fold
  std::vector<float> deviation;  // of each stage: of the final score from the evaluation, in discs
  float policy = 2.0f;           // discs by which the odds of a move grow e-fold
};

class OthelloJudge {
 public:
  static constexpr int kPlanes = 5, kGlobals = 3;

  // `rollouts` games a row; with 0 the ownership is empty. Throws std::invalid_argument for sizes,
  // weights and scales of different shapes, and for a scale out of range.
  OthelloJudge(int size, const std::vector<std::int16_t>& weights, const JudgeScales& scales,
               int rollouts, std::uint64_t seed);

  int size() const { return size_; }
  int area() const { return size_ * size_; }
  int moves() const { return area() + 1; }

  void evaluate(const RowView& row) const;

 private:
  using AnyLinear = std::variant<OthelloLinear<6>, OthelloLinear<8>>;

  template <int N>
  void evaluate_by(const OthelloLinear<N>& linear, const RowView& row) const;

  int size_;
  AnyLinear linear_;
  JudgeScales scales_;
  int rollouts_;
  std::uint64_t seed_;
};

}  // namespace sparring
