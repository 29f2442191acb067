#include "rollouts/othello_judge.h"

#include <stdexcept>

#include "common/bounds.h"
#include "rollouts/othello_quick_games.h"

namespace sparring {

namespace {

std::variant<OthelloLinear<6>, OthelloLinear<8>> linear_of(
    int size, const std::vector<std::int16_t>& weights) {
  if (size == 6) return OthelloLinear<6>(weights);
  if (size == 8) return OthelloLinear<8>(weights);
  throw std::invalid_argument("only 6x6 and 8x8 have an evaluation");
}

}  // namespace

OthelloJudge::OthelloJudge(int size, const std::vector<std::int16_t>& weights,
                           const JudgeScales& scales, int rollouts, std::uint64_t seed)
    : size_(size),
      linear_(linear_of(size, weights)),
      scales_(scales),
      rollouts_(rollouts),
      seed_(seed) {
  const std::size_t stages = std::visit(
      [](const auto& linear) { return static_cast<std::size_t>(linear.kStages); }, linear_);
  if (scales.win.size() != stages || scales.deviation.size() != stages)
    throw std::invalid_argument("there must be a scale for each stage of the game");
  constexpr float kLeast = 1e-6f, kMost = 1e6f;  // discs
  for (const float scale : scales.win) checked("win_scales", scale, kLeast, kMost);
  for (const float scale : scales.deviation) checked("deviations", scale, 0.0f, kMost);
  checked("policy_scale", scales.policy, kLeast, kMost);
}

template <int N>
void OthelloJudge::evaluate_by(const OthelloLinear<N>& linear, const RowView& row) const {
  const auto board = read_board<N>(row.spatial);
  const int stage = linear.stage(N * N - board.count_empty());
  std::fill(row.policy, row.policy + N * N + 1, 0.0f);
  float best = -static_cast<float>(N * N);
  const auto moves = board.moves();
  for (auto left = moves; left != 0; left &= left - 1) {
    const int square = lowest_bit(left);
    auto after = board;
    after.play(square);
    const float score = -linear.score(after);
    row.policy[OthelloBoard<N>::cell_of(square)] = score / scales_.policy;
    best = std::max(best, score);
  }
  if (moves == 0) best = -linear.score(board.swapped());
  const double odds = std::exp(-best / scales_.win[stage]);
  write_estimate({1.0 / (1.0 + odds), best, scales_.deviation[stage]}, row);
  if (rollouts_ == 0) {
    std::fill(row.ownership, row.ownership + N * N, 0.0f);
    return;
  }
  Random random = generator_of(board, seed_);
  QuickGames<N>(board, rollouts_, random).write_ownership(row.ownership);
}

void OthelloJudge::evaluate(const RowView& row) const {
  std::visit([&](const auto& linear) { evaluate_by(linear, row); }, linear_);
}

}  // namespace sparring
