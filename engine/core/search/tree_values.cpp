#include "search/tree_values.h"

#include <algorithm>
#include <cmath>

#include "common/interpolation_table.h"
#include "search/score_utility.h"

namespace sparring {

namespace {

constexpr double kStaticWidth = 2.0;  // of the static score utility, in square roots of the area

// Cumulative distribution of Student's t with 3 degrees of freedom.
double student_t3(double t) {
  constexpr double kRoot3 = 1.7320508075688772;
  constexpr double kInversePi = 0.3183098861837907;
  const double x = t / kRoot3;
  return 0.5 + kInversePi * (x / (1.0 + x * x) + std::atan(x));
}

double dynamic_width(const SearchSettings& s, const UtilityScale& scale) {
  return s.dynamic_score_center_scale * scale.board_scale;
}

// One edge during the averaging of a node.
struct Share {
  const NodeStats* stats;
  double weight;
  double mover_utility;
  double prior;
};

// A child worse than those before it, with more than twice its share of the weight, was overvisited
// by noise. Removes part of the excess and returns the new total.
double prune_noise(Share* shares, int count, double total, double utility_scale) {
  if (count <= 1 || total <= 1e-5) return total;
  double utility_sum = 0;
  double weight_sum = 0;
  double prior_sum = 0;
  for (int i = 0; i < count; ++i) {
    Share& share = shares[i];
    if (weight_sum > 0 && prior_sum > 0) {
      const double gap = utility_sum / weight_sum - share.mover_utility;
      const double fair = 2.0 * weight_sum * share.prior / prior_sum;
      if (gap > 0 && share.weight > fair)
        share.weight -= (share.weight - fair) * (1.0 - std::exp(-gap / utility_scale));
    }
    utility_sum += share.mover_utility * share.weight;
    weight_sum += share.weight;
    prior_sum += share.prior;
  }
  return weight_sum;
}

// The factor on the weight of a child z standard deviations better than the average.
double value_factor(double z, double exponent) {
  const auto factor = [](double x, double power) {
    return std::pow(student_t3(x) + 0.0001, power);
  };
  constexpr double kUsual = 0.25;
  static const InterpolationTable usual(-40.0f, 40.0f, 8192,
                                        [&](double x) { return factor(x, kUsual); });
  return exponent == kUsual ? usual(static_cast<float>(z)) : factor(z, exponent);
}

// Shifts weight to children better for the mover than the average, by their likely error; keeps the
// total.
void favour_better(Share* shares, int count, double total, double exponent) {
  if (count <= 1 || total <= 0 || exponent == 0) return;
  double average = 0;
  for (int i = 0; i < count; ++i) average += shares[i].mover_utility * shares[i].weight;
  average /= total;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double precision = 1.5 * std::sqrt(std::max(shares[i].weight, 1e-9));
    const double z = (shares[i].mover_utility - average) / std::sqrt(1e-8 + 1.0 / precision);
    shares[i].weight *= value_factor(z, exponent);
    sum += shares[i].weight;
  }
  const double factor = total / sum;
  for (int i = 0; i < count; ++i) shares[i].weight *= factor;
}

// The network's utility of the node, corrected by its bias entry. The node's own contribution to
// the entry is first renewed from its children's average.
double corrected_utility(Node& node, const SearchSettings& s, double raw, double children_utility,
                         double edges_weight) {
  if (!node.bias || s.subtree_value_bias_factor == 0) return raw;
  BiasEntry& entry = *node.bias;
  if (edges_weight > 1e-10) {
    const double weight = std::pow(edges_weight, s.subtree_value_bias_weight_exponent);
    const double delta = (children_utility - raw) * weight;
    entry.delta_sum += delta - node.bias_delta;
    entry.weight_sum += weight - node.bias_weight;
    node.bias_delta = delta;
    node.bias_weight = weight;
  }
  if (entry.weight_sum > 0.001)
    raw += s.subtree_value_bias_factor * entry.delta_sum / entry.weight_sum;
  return raw;
}

void add_share(NodeStats& sum, const NodeStats& stats, double weight) {
  const double scaling = weight / stats.weight_sum;
  sum.win_loss += weight * stats.win_loss;
  sum.no_result += weight * stats.no_result;
  sum.score_mean += weight * stats.score_mean;
  sum.score_mean_square += weight * stats.score_mean_square;
  sum.lead += weight * stats.lead;
  sum.utility += weight * stats.utility;
  sum.utility_square += weight * stats.utility_square;
  sum.weight_square_sum += scaling * scaling * stats.weight_square_sum;
  sum.weight_sum += weight;
}

NodeStats single_visit(const Values& values, double utility, double weight) {
  NodeStats stats;
  stats.visits = 1;
  stats.weight_sum = weight;
  stats.weight_square_sum = weight * weight;
  stats.win_loss = static_cast<double>(values.black_win) - values.white_win;
  stats.no_result = values.no_result;
  stats.score_mean = values.score_mean;
  stats.score_mean_square = values.score_mean_square;
  stats.lead = values.lead;
  stats.utility = utility;
  stats.utility_square = utility * utility;
  return stats;
}

// Replaces the averages of `node` by `sum` over its weight; the visits stay.
void store_average(Node& node, const NodeStats& sum) {
  const double inverse = 1.0 / sum.weight_sum;
  NodeStats& stats = node.stats;
  stats.weight_sum = sum.weight_sum;
  stats.weight_square_sum = sum.weight_square_sum;
  stats.win_loss = sum.win_loss * inverse;
  stats.no_result = sum.no_result * inverse;
  stats.score_mean = sum.score_mean * inverse;
  stats.score_mean_square = sum.score_mean_square * inverse;
  stats.lead = sum.lead * inverse;
  stats.utility = sum.utility * inverse;
  stats.utility_square = sum.utility_square * inverse;
}

// Averages a chance node over its visited outcomes. Its spread is that within the outcomes: the
// one between them is no uncertainty of the average.
void average_outcomes(Node& node) {
  double known = 0, total = 0;
  for (const Edge& edge : node.edges) {
    const double weight = edge.child ? edge_weight(edge) : 0.0;
    if (weight <= 0) continue;
    known += edge.prior;
    total += weight;
  }
  if (known <= 0) return;
  NodeStats sum;
  double variance = 0;
  for (const Edge& edge : node.edges) {
    if (!edge.child || edge_weight(edge) <= 0) continue;
    const NodeStats& stats = edge.child->stats;
    add_share(sum, stats, total * edge.prior / known);
    variance += edge.prior / known * (stats.utility_square - stats.utility * stats.utility);
  }
  store_average(node, sum);
  NodeStats& stats = node.stats;
  stats.utility_square = stats.utility * stats.utility + std::max(0.0, variance);
}

}  // namespace

double result_utility(const SearchSettings& s, double win_loss, double no_result) {
  return win_loss * s.win_loss_utility_factor + no_result * s.no_result_utility;
}

double score_utility(const SearchSettings& s, const UtilityScale& scale, double mean,
                     double mean_square) {
  const double stdev = stdev_of(mean, mean_square);
  return s.static_score_utility_factor *
             expected_score_value(mean, stdev, 0.0, kStaticWidth * scale.board_scale) +
         s.dynamic_score_utility_factor *
             expected_score_value(mean, stdev, scale.score_center, dynamic_width(s, scale));
}

double utility_of(const SearchSettings& s, const UtilityScale& scale, const Values& values) {
  return result_utility(s, static_cast<double>(values.black_win) - values.white_win,
                        values.no_result) +
         score_utility(s, scale, values.score_mean, values.score_mean_square);
}

double score_bonus_utility(const SearchSettings& s, const UtilityScale& scale,
                           const NodeStats& stats, double points) {
  if (points == 0) return 0;
  const double stdev = stdev_of(stats.score_mean, stats.score_mean_square);
  const double mean = stats.score_mean + points;
  return score_utility(s, scale, mean, mean * mean + stdev * stdev) -
         score_utility(s, scale, stats.score_mean, stats.score_mean_square);
}

double utility_radius(const SearchSettings& s) {
  return s.win_loss_utility_factor + s.static_score_utility_factor + s.dynamic_score_utility_factor;
}

double score_center(const SearchSettings& s, double expected, double board_scale) {
  const double reach = board_scale * s.dynamic_score_center_scale;
  const double center = expected * (1.0 - s.dynamic_score_center_zero_weight);
  return std::clamp(center, expected - reach, expected + reach);
}

double evaluation_weight(const SearchSettings& s, const UtilityScale& scale, const Values& values) {
  if (!s.use_uncertainty || values.win_loss_error < 0) return 1.0;
  constexpr double kTwoOverPi = 0.6366197723675814;
  const auto slope = [&](double center, double width) {
    const double offset = values.score_mean - center;
    return kTwoOverPi * width / (width * width + offset * offset);
  };
  const double per_point =
      s.static_score_utility_factor * slope(0.0, kStaticWidth * scale.board_scale) +
      s.dynamic_score_utility_factor * slope(scale.score_center, dynamic_width(s, scale));
  const double uncertainty =
      s.win_loss_utility_factor * values.win_loss_error + per_point * values.score_error;
  const double baseline = s.uncertainty_coefficient / s.uncertainty_max_weight;
  return s.uncertainty_coefficient / (uncertainty + baseline);
}

void add_leaf_visit(Node& node, const SearchSettings& s, const UtilityScale& scale,
                    const Values& values) {
  double utility = utility_of(s, scale, values);
  const double weight = node.terminal && s.use_uncertainty && values.win_loss_error >= 0
                            ? s.uncertainty_max_weight
                            : evaluation_weight(s, scale, values);
  if (!node.terminal) utility = corrected_utility(node, s, utility, 0, 0);
  NodeStats visit = single_visit(values, utility, weight);
  if (node.stats.visits == 0) {
    node.stats = visit;
    return;
  }
  NodeStats sum;
  add_share(sum, node.stats, node.stats.weight_sum);
  add_share(sum, visit, weight);
  store_average(node, sum);
  node.stats.visits += 1;
}

void recompute(Node& node, const SearchSettings& s, const UtilityScale& scale) {
  if (node.chance) {
    average_outcomes(node);
    return;
  }
  Share shares[kMostMoves];
  int count = 0;
  double edges_weight = 0;
  const double sign = node.sign();
  for (const Edge& edge : node.edges) {
    const double weight = edge.child ? edge_weight(edge) : 0.0;
    if (weight <= 0) continue;
    const NodeStats& stats = edge.child->stats;
    shares[count++] = {&stats, weight, sign * stats.utility, std::max(1e-30, double{edge.prior})};
    edges_weight += weight;
  }
  double total = edges_weight;
  if (s.use_noise_pruning) total = prune_noise(shares, count, total, s.noise_prune_utility_scale);
  favour_better(shares, count, total, s.value_weight_exponent);

  NodeStats sum;
  for (int i = 0; i < count; ++i) add_share(sum, *shares[i].stats, shares[i].weight);
  const Values& values = node.evaluation->values();
  const double children_utility = total > 1e-10 ? sum.utility / total : 0.0;
  const double own = corrected_utility(node, s, utility_of(s, scale, values), children_utility,
                                       total > 1e-10 ? edges_weight : 0.0);
  const double weight = evaluation_weight(s, scale, values);
  add_share(sum, single_visit(values, own, weight), weight);
  store_average(node, sum);
}

void rescale_leaf(Node& node, const SearchSettings& s, const UtilityScale& scale) {
  NodeStats& stats = node.stats;
  if (stats.weight_sum <= 0) return;
  stats.utility = result_utility(s, stats.win_loss, stats.no_result) +
                  score_utility(s, scale, stats.score_mean, stats.score_mean_square);
  stats.utility_square = stats.utility * stats.utility;
}

Exploration exploration_of(const Node& node, const SearchSettings& s, const UtilityScale& scale,
                           double total_weight, double visited_prior, bool at_root) {
  const NodeStats& stats = node.stats;
  const double prior_variance = s.cpuct_utility_stdev_prior * s.cpuct_utility_stdev_prior;
  double stdev = s.cpuct_utility_stdev_prior;
  if (stats.visits > 0 && stats.weight_sum > 1) {
    const double square = stats.utility * stats.utility;
    const double mean_square = std::max(stats.utility_square, square);
    const double weight = s.cpuct_utility_stdev_prior_weight;
    stdev = std::sqrt(
        std::max(0.0, ((square + prior_variance) * weight + mean_square * stats.weight_sum) /
                              (weight + stats.weight_sum - 1.0) -
                          square));
  }
  const double spread =
      1.0 + s.cpuct_utility_stdev_scale * (stdev / s.cpuct_utility_stdev_prior - 1.0);
  const double cpuct =
      s.cpuct_exploration +
      s.cpuct_exploration_log *
          std::log((total_weight + s.cpuct_exploration_base) / s.cpuct_exploration_base);

  Exploration result;
  result.scaling = cpuct * std::sqrt(total_weight + s.cpuct_weight_offset) * spread;
  const double trust =
      s.fpu_parent_weight_by_visited_policy_pow == 2.0
          ? std::min(1.0, visited_prior * visited_prior)
          : std::min(1.0, std::pow(visited_prior, s.fpu_parent_weight_by_visited_policy_pow));
  const double raw = utility_of(s, scale, node.evaluation->values());
  const double parent = trust * stats.utility + (1.0 - trust) * raw;
  const double reduction = (at_root ? s.root_fpu_reduction_max : s.fpu_reduction_max) *
                           std::sqrt(std::max(0.0, visited_prior));
  result.first_play_utility = s.fpu_parent_share * parent - node.sign() * reduction;
  return result;
}

Bound lower_bound(const Edge& edge, double sign, const SearchSettings& s, double bonus_utility) {
  const double range = utility_radius(s);
  Bound bound{-2.0 * range * s.lcb_stdevs, 2.0 * range * s.lcb_stdevs};
  double weight = edge.child ? edge_weight(edge) : 0.0;
  double weight_square = edge.child ? edge_weight_square(edge) : 0.0;
  if (weight <= 0 || weight_square <= 0) return bound;
  const NodeStats& stats = edge.child->stats;
  // A light prior with the largest possible variance keeps the bound sensible at few visits.
  double samples = weight * weight / weight_square;
  const double prior = weight / (samples * samples * samples);
  double mean_square = std::max(stats.utility_square, stats.utility * stats.utility + 1e-8);
  mean_square = (mean_square * weight + (mean_square + range * range) * prior) / (weight + prior);
  weight += prior;
  weight_square += prior * prior;
  samples = weight * weight / weight_square;
  const double variance = mean_square - stats.utility * stats.utility;
  bound.radius = std::sqrt(variance / samples) * s.lcb_stdevs;
  bound.lower = sign * (stats.utility + bonus_utility) - bound.radius;
  return bound;
}

}  // namespace sparring
