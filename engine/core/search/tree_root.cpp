#include "search/tree_root.h"

#include <algorithm>
#include <cmath>

namespace sparring {

namespace {

void apply_temperature(std::vector<float>& prior, double temperature) {
  double sum = 0;
  for (float& p : prior) {
    if (p < 0) continue;
    p = p > 0 ? static_cast<float>(std::exp(std::log(static_cast<double>(p)) / temperature)) : 0.0f;
    sum += p;
  }
  if (sum <= 0) return;
  for (float& p : prior)
    if (p >= 0) p = static_cast<float>(p / sum);
}

// KataGo's shaped Dirichlet noise: half of the concentration is uniform over the legal moves, half
// goes to those with a log probability above the mean.
std::vector<double> noise_shape(const std::vector<float>& prior) {
  std::vector<double> shape(prior.size(), 0.0);
  double log_sum = 0;
  int legal = 0;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    if (prior[i] < 0) continue;
    shape[i] = std::log(std::min(0.01, static_cast<double>(prior[i])) + 1e-20);
    log_sum += shape[i];
    ++legal;
  }
  double sum = 0;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    shape[i] = prior[i] < 0 ? 0.0 : std::max(0.0, shape[i] - log_sum / legal);
    sum += shape[i];
  }
  for (std::size_t i = 0; i < prior.size(); ++i)
    if (prior[i] >= 0) shape[i] = sum > 0 ? 0.5 * (shape[i] / sum + 1.0 / legal) : 1.0 / legal;
  return shape;
}

void add_noise(std::vector<float>& prior, const SearchSettings& s, Random& random) {
  std::vector<double> draw = noise_shape(prior);
  double sum = 0;
  for (double& x : draw) {
    if (x > 0) x = random.gamma(x * s.root_dirichlet_concentration);
    sum += x;
  }
  if (sum <= 0) return;
  for (std::size_t i = 0; i < prior.size(); ++i)
    if (prior[i] >= 0)
      prior[i] = static_cast<float>(prior[i] * (1 - s.root_dirichlet_weight) +
                                    draw[i] / sum * s.root_dirichlet_weight);
}

// Leaves one move of each set of moves equal under the position's symmetries and the weights; it
// takes their priors.
void prune_mirrors(const RootInputs& inputs, RootView& view) {
  const int moves = static_cast<int>(view.prior.size());
  for (int move = 0; move < moves; ++move) {
    if (view.prior[move] < 0 || view.duplicate_of[move] >= 0) continue;
    for (int s = 1; s < 8; ++s) {
      if (!(inputs.symmetries >> s & 1)) continue;
      const int image = inputs.symmetric_move(move, s);
      if (image == move || view.prior[image] < 0 || view.duplicate_of[image] >= 0) continue;
      if (!inputs.weights->empty() && (*inputs.weights)[image] != (*inputs.weights)[move]) continue;
      view.duplicate_of[image] = static_cast<int16_t>(move);
      view.duplicate_symmetry[image] = static_cast<int8_t>(s);
      view.prior[move] += view.prior[image];
      view.prior[image] = -1.0f;
    }
  }
}

// Multiplies by the weights and keeps the sum.
void weigh(const std::vector<float>& weights, std::vector<float>& prior) {
  if (weights.empty()) return;
  double before = 0, after = 0;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    if (prior[i] < 0) continue;
    before += prior[i];
    after += static_cast<double>(prior[i]) * weights[i];
  }
  if (after <= 0) return;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    if (prior[i] < 0) continue;
    prior[i] =
        weights[i] > 0 ? static_cast<float>(prior[i] * (weights[i] * (before / after))) : -1.0f;
  }
}

}  // namespace

RootView make_root_view(const RootInputs& inputs, const SearchSettings& s, Random& random) {
  const int moves = inputs.evaluation->moves();
  RootView view;
  view.prior.resize(moves);
  view.duplicate_of.assign(moves, -1);
  view.duplicate_symmetry.assign(moves, 0);
  for (int move = 0; move < moves; ++move) view.prior[move] = inputs.evaluation->prior(move);
  if (s.root_policy_temperature != 1.0) apply_temperature(view.prior, s.root_policy_temperature);
  if (s.root_noise) add_noise(view.prior, s, random);
  if (inputs.symmetries > 1) prune_mirrors(inputs, view);
  for (int move = 0; move < moves; ++move)
    if (!inputs.allowed(move)) view.prior[move] = -1.0f;
  weigh(*inputs.weights, view.prior);
  return view;
}

Values terminal_values(const Outcome& outcome, const SearchSettings& s,
                       const NetworkScales& scales) {
  Values values;
  if (outcome.no_result > 0) {
    values.no_result = 1;
  } else {
    const float win =
        outcome.black_win == 0.5f ? static_cast<float>(s.draw_equivalent_wins) : outcome.black_win;
    values.black_win = win;
    values.white_win = 1 - win;
    values.score_mean = values.lead = outcome.black_score;
    const double score = outcome.black_score;
    // An integer score stands for half a point either way, as in the network's training.
    const double spread = score == std::floor(score) ? 0.25 : 0.0;
    values.score_mean_square = static_cast<float>(score * score + spread);
  }
  if (scales.version >= 9) values.win_loss_error = values.score_error = values.variance_time = 0;
  return values;
}

void add_decoded(const Decoded& decoded, int moves, int cells, bool first, Decoded& sum) {
  if (first) {
    sum = decoded;
    return;
  }
  const auto add = [&](float Values::* field) { sum.values.*field += decoded.values.*field; };
  for (auto field : {&Values::black_win, &Values::white_win, &Values::no_result,
                     &Values::score_mean, &Values::score_mean_square, &Values::lead,
                     &Values::win_loss_error, &Values::score_error, &Values::variance_time})
    add(field);
  for (int move = 0; move < moves; ++move)
    if (decoded.policy[move] >= 0) sum.policy[move] += decoded.policy[move];
  for (int cell = 0; cell < cells; ++cell) sum.ownership[cell] += decoded.ownership[cell];
}

void divide_decoded(int count, int moves, int cells, Decoded& sum) {
  const float factor = 1.0f / static_cast<float>(count);
  for (auto field : {&Values::black_win, &Values::white_win, &Values::no_result,
                     &Values::score_mean, &Values::score_mean_square, &Values::lead,
                     &Values::win_loss_error, &Values::score_error, &Values::variance_time})
    sum.values.*field *= factor;
  for (int move = 0; move < moves; ++move)
    if (sum.policy[move] >= 0) sum.policy[move] *= factor;
  for (int cell = 0; cell < cells; ++cell) sum.ownership[cell] *= factor;
}

}  // namespace sparring
