#include "search/tree_proof.h"

#include <algorithm>

#include "search/score_utility.h"

namespace sparring {

namespace {

int legal_moves(const Evaluation& evaluation) {
  int count = 0;
  for (int move = 0; move < evaluation.moves(); ++move) count += evaluation.prior(move) >= 0;
  return count;
}

// Black's wins minus White's at this score.
double result_of(int score, const SearchSettings& s) {
  if (score == 0) return 2.0 * s.draw_equivalent_wins - 1.0;
  return score > 0 ? 1.0 : -1.0;
}

}  // namespace

void narrow_bounds(Node& node, const ScoreBounds& black) {
  node.low = static_cast<int8_t>(std::max<int>(node.low, black.low));
  node.high = static_cast<int8_t>(std::min<int>(node.high, black.high));
}

void back_up_bounds(Node& node, int unsearched) {
  int low = Node::kUnknown;
  int high = Node::kUnknown;
  int known = unsearched;
  for (const Edge& edge : node.edges) {
    if (!edge.child) continue;
    const ScoreBounds bounds = edge.child->bounds_of(node.to_move);
    low = std::max(low, bounds.low);
    high = std::max(high, bounds.high);
    ++known;
  }
  // An untried move may be better than all tried ones.
  if (high < node.bounds_of(node.to_move).high && known < legal_moves(*node.evaluation))
    high = -Node::kUnknown;
  narrow_bounds(node, turned({low, high}, node.to_move));
}

Values proven_values(const Node& node, const SearchSettings& s, const NetworkScales& scales) {
  const float win = node.low == 0 ? 0.5f : node.low > 0 ? 1.0f : 0.0f;
  return terminal_values({win, 0.0f, static_cast<float>(node.low)}, s, scales);
}

int mirrored_moves(const RootView& view) {
  return static_cast<int>(std::count_if(view.duplicate_of.begin(), view.duplicate_of.end(),
                                        [](int other) { return other >= 0; }));
}

void obey_bounds(Node& node, const SearchSettings& s, const UtilityScale& scale) {
  NodeStats& stats = node.stats;
  const bool obeyed = stats.win_loss >= result_of(node.low, s) &&
                      stats.win_loss <= result_of(node.high, s) && stats.score_mean >= node.low &&
                      stats.score_mean <= node.high;
  if (obeyed && !node.proven()) return;
  const double low = node.low;
  const double high = node.high;
  const double deviation =
      node.proven() ? 0.5 : stdev_of(stats.score_mean, stats.score_mean_square);
  stats.win_loss = std::clamp(stats.win_loss, result_of(node.low, s), result_of(node.high, s));
  if (node.proven()) stats.no_result = 0;
  stats.score_mean = std::clamp(stats.score_mean, low, high);
  stats.lead = std::clamp(stats.lead, low, high);
  stats.score_mean_square = stats.score_mean * stats.score_mean + deviation * deviation;
  const double utility = result_utility(s, stats.win_loss, stats.no_result) +
                         score_utility(s, scale, stats.score_mean, stats.score_mean_square);
  const double variance =
      node.proven() ? 0.0 : std::max(0.0, stats.utility_square - stats.utility * stats.utility);
  stats.utility = utility;
  stats.utility_square = utility * utility + variance;
}

int surest_score(const Node& node) {
  int surest = Node::kUnknown;
  for (const Edge& edge : node.edges)
    if (edge.child) surest = std::max(surest, edge.child->bounds_of(node.to_move).low);
  return surest;
}

bool is_outdone(const ScoreBounds& bounds, int surest) {
  return bounds.high < surest || (bounds.high == surest && bounds.low < surest);
}

bool is_outdone(const Node& node, const Edge& edge, int surest) {
  return is_outdone(edge.child->bounds_of(node.to_move), surest);
}

}  // namespace sparring
