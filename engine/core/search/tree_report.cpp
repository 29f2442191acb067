#include "search/tree_report.h"

#include <algorithm>
#include <cmath>

#include "search/score_utility.h"
#include "search/tree_proof.h"

namespace sparring {

namespace {

// One root edge during the choice.
struct Candidate {
  const Edge* edge;
  double prior;
  double bonus_utility;  // Black's view
  double value;          // play selection value
  Bound bound;
};

double weight_of(const Candidate& c) { return edge_weight(*c.edge); }

double mover_utility(const Candidate& c, double sign) {
  return sign * (c.edge->child->stats.utility + c.bonus_utility);
}

// The child explored most stably: by weight, less its newest visit, with a little help of the
// policy.
std::size_t most_explored(const std::vector<Candidate>& candidates) {
  std::size_t best = 0;
  double best_goodness = -1e30;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double visits = candidates[i].edge->visits;
    const double goodness =
        candidates[i].value * std::max(0.0, visits - 1) / std::max(1.0, visits) +
        2.0 * candidates[i].prior;
    if (goodness > best_goodness) {
      best_goodness = goodness;
      best = i;
    }
  }
  return best;
}

// Removes visits that exploration would not have spent, knowing the values now.
void reduce_excess(std::vector<Candidate>& candidates, std::size_t best, const ReportInputs& in) {
  double total = 0;
  for (const Candidate& c : candidates) total += weight_of(c);
  const double sign = in.root->sign();
  const double scaling =
      exploration_of(*in.root, *in.settings, *in.scale, total, 1.0, true).scaling;
  const Candidate& top = candidates[best];
  const double target =
      selection_value(scaling, top.prior, weight_of(top), mover_utility(top, sign));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& c = candidates[i];
    if (i == best || c.edge->visits <= 0) continue;
    const double exploration = target - mover_utility(c, sign);
    const double wanted =
        exploration <= 0 ? 1e100 : std::max(0.0, scaling * c.prior / exploration - 1.0);
    c.value = std::ceil(std::min(weight_of(c), wanted));
  }
}

// The move with the best lower bound, if explored enough, gets a value above the others by as much
// as their bounds are worse.
void favour_best_bound(std::vector<Candidate>& candidates, double most_weight,
                       const SearchSettings& s) {
  Candidate* best = nullptr;
  for (Candidate& c : candidates) {
    if (c.value <= 0 || c.value < s.min_visit_prop_for_lcb * most_weight) continue;
    if (!best || c.bound.lower > best->bound.lower) best = &c;
  }
  if (!best) return;
  double value = best->value;
  for (const Candidate& c : candidates) {
    const double excess = best->bound.lower - c.bound.lower;
    if (&c == best || excess < 0) continue;
    const double factor = (c.bound.radius + excess) / (c.bound.radius + 0.20 * excess);
    value = std::max(value, factor * factor * c.value);
  }
  best->value = value;
}

// Proofs rank before visits. Moves proven no better than another lose their value; with a proven
// win so do the others. A proven move as good as the favourite becomes the favourite.
void obey_proofs(std::vector<Candidate>& candidates, const Node& root) {
  const int surest = surest_score(root);
  if (surest == Node::kUnknown) return;
  Candidate* favourite = nullptr;
  Candidate* proven = nullptr;
  const double sign = root.sign();
  for (Candidate& c : candidates) {
    const ScoreBounds bounds = c.edge->child->bounds_of(root.to_move);
    if (is_outdone(root, *c.edge, surest) || (surest > 0 && bounds.low <= 0)) c.value = 0;
    if (!favourite || c.value > favourite->value) favourite = &c;
    if (!bounds.exact()) continue;
    const double gain = proven ? mover_utility(c, sign) - mover_utility(*proven, sign) : 1;
    if (gain > 0 || (gain == 0 && c.value > proven->value)) proven = &c;
  }
  if (proven && mover_utility(*proven, sign) >= mover_utility(*favourite, sign))
    proven->value = std::max(proven->value, favourite->value + 1);
}

std::vector<Candidate> choose(const ReportInputs& in) {
  std::vector<Candidate> candidates;
  const SearchSettings& s = *in.settings;
  const double sign = in.root->sign();
  for (const Edge& edge : in.root->edges) {
    const double prior = in.view->prior.empty() ? edge.prior : in.view->prior[edge.move];
    if (!edge.child || edge.prior < 0 || prior < 0 || edge.child->stats.visits <= 0) continue;
    Candidate c{&edge, prior, 0, edge_weight(edge), {0, 0}};
    const double bonus = in.view->bonus_points.empty() ? 0.0 : in.view->bonus_points[edge.move];
    c.bonus_utility = score_bonus_utility(s, *in.scale, edge.child->stats, sign * bonus);
    c.bound = lower_bound(edge, sign, s, c.bonus_utility);
    candidates.push_back(c);
  }
  if (candidates.empty()) return candidates;
  const std::size_t best = most_explored(candidates);
  const double most_weight = candidates[best].value;
  reduce_excess(candidates, best, in);
  if (s.use_lcb_for_selection) favour_best_bound(candidates, most_weight, s);
  obey_proofs(candidates, *in.root);
  return candidates;
}

void follow_line(const Edge& first, int length, MoveReport& out) {
  const Edge* edge = &first;
  std::vector<const Node*> seen;
  while (edge && static_cast<int>(out.pv.size()) < length) {
    out.pv.push_back(edge->move);
    out.pv_visits.push_back(edge->child->stats.visits);
    out.pv_edge_visits.push_back(edge->visits);
    const Node* node = edge->child;
    if (node->chance) return;  // the line depends on the outcome
    if (std::find(seen.begin(), seen.end(), node) != seen.end()) return;
    seen.push_back(node);
    edge = nullptr;
    double most = 0;
    const int surest = surest_score(*node);
    for (const Edge& next : node->edges) {
      if (!next.child || next.prior < 0 || next.visits <= 0) continue;
      if (is_outdone(*node, next, surest)) continue;
      const double goodness = edge_weight(next) + 1e-3 * next.prior;
      if (goodness > most) {
        most = goodness;
        edge = &next;
      }
    }
  }
}

MoveReport describe(const Candidate& c, const ReportInputs& in) {
  const NodeStats& stats = c.edge->child->stats;
  const double sign = in.root->sign();
  MoveReport out;
  out.move = c.edge->move;
  out.node = c.edge->child;
  out.visits = stats.visits;
  out.edge_visits = c.edge->visits;
  out.win_rate = 0.5 * (1.0 + sign * stats.win_loss);
  out.no_result = stats.no_result;
  out.score_lead = sign * stats.lead;
  out.score_mean = sign * stats.score_mean;
  out.score_stdev = stdev_of(stats.score_mean, stats.score_mean_square);
  out.utility = sign * stats.utility;
  out.utility_lcb = c.bound.lower;
  // The bound on utility, converted to the win rate by the share of results in the utility.
  const double radius = utility_radius(*in.settings);
  const double lost = radius > 0 ? (out.utility - c.bound.lower) / (2.0 * radius) : 0.0;
  out.lcb = out.win_rate - lost;
  out.prior = in.root->evaluation->prior(c.edge->move);
  out.weight = stats.weight_sum;
  out.edge_weight = edge_weight(*c.edge);
  out.play_selection_value = c.value;
  out.bounds = c.edge->child->bounds_of(in.root->to_move);
  if (out.bounds.exact()) {  // a proven score leaves no doubt at few visits
    out.lcb = out.win_rate;
    out.utility_lcb = out.utility;
  }
  follow_line(*c.edge, in.pv_length, out);
  return out;
}

// Before any search the policy decides.
std::vector<MoveReport> policy_moves(const ReportInputs& in) {
  std::vector<MoveReport> reports;
  const Evaluation& evaluation = *in.root->evaluation;
  const Values& values = evaluation.values();
  const double sign = in.root->sign();
  for (int move = 0; move < evaluation.moves(); ++move) {
    const double prior = in.view->prior.empty() ? evaluation.prior(move) : in.view->prior[move];
    if (prior < 0) continue;
    MoveReport out;
    out.move = move;
    out.prior = evaluation.prior(move);
    out.play_selection_value = prior;
    out.win_rate = out.lcb = 0.5 * (1.0 + sign * (values.black_win - values.white_win));
    out.score_lead = sign * values.lead;
    out.score_mean = sign * values.score_mean;
    out.score_stdev = stdev_of(values.score_mean, values.score_mean_square);
    out.pv.push_back(move);
    out.pv_visits.push_back(0);
    out.pv_edge_visits.push_back(0);
    reports.push_back(std::move(out));
  }
  return reports;
}

// Sums ownership over the graph: each node divides its portion between itself and its children,
// sharply in favour of greater weights.
class OwnershipSum {
 public:
  OwnershipSum(const SearchSettings& s, const UtilityScale& scale, const Node* top, int area)
      : settings_(s), scale_(scale), mean_(area, 0.0), square_(area, 0.0) {
    const double visits = static_cast<double>(std::max<int64_t>(1, top->stats.visits));
    least_ = 0.5 / std::pow(visits, 0.75);
    pruned_ = 0.01 * least_;
  }

  void walk(const Node* node, double portion) {
    double own = portion;
    const bool again = std::find(path_.begin(), path_.end(), node) != path_.end();
    if (portion >= least_ && !again) {
      path_.push_back(node);
      own = share_with_children(node, portion);
      path_.pop_back();
    }
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      const double o = node->evaluation->ownership(static_cast<int>(i));
      mean_[i] += own * o;
      square_[i] += own * o * o;
    }
  }

  void store(float* mean, float* stdev) const {
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      mean[i] = static_cast<float>(mean_[i]);
      if (stdev) stdev[i] = static_cast<float>(stdev_of(mean_[i], square_[i]));
    }
  }

 private:
  double share_with_children(const Node* node, double portion) {
    double total = 0;
    double squares = 0;
    for (const Edge& edge : node->edges) {
      const double weight = edge.child && edge.child->evaluation ? edge_weight(edge) : 0.0;
      total += weight;
      squares += weight * weight;
    }
    if (squares <= 0) return portion;
    const double self =
        std::max(1e-10, evaluation_weight(settings_, scale_, node->evaluation->values()));
    const double for_children = portion * total / (total + self);
    double own = portion - for_children;
    for (const Edge& edge : node->edges) {
      if (!edge.child || !edge.child->evaluation) continue;
      const double weight = edge_weight(edge);
      const double share = weight * weight / squares * for_children;
      if (share < pruned_)
        own += share;
      else
        walk(edge.child, share);
    }
    return own;
  }

  const SearchSettings& settings_;
  const UtilityScale& scale_;
  std::vector<double> mean_;
  std::vector<double> square_;
  std::vector<const Node*> path_;
  double least_;
  double pruned_;
};

// Mirrors of searched moves, right behind them.
void add_mirrors(const RootView& view, std::vector<MoveReport>& reports) {
  std::vector<MoveReport> all;
  for (MoveReport& report : reports) {
    const int base = report.move;
    all.push_back(report);
    for (std::size_t move = 0; move < view.duplicate_of.size(); ++move) {
      if (view.duplicate_of[move] != base) continue;
      MoveReport mirror = report;
      mirror.move = static_cast<int>(move);
      mirror.symmetry_of = base;
      mirror.symmetry = view.duplicate_symmetry[move];
      all.push_back(std::move(mirror));
    }
  }
  reports = std::move(all);
}

}  // namespace

std::vector<MoveReport> report_moves(const ReportInputs& inputs) {
  std::vector<MoveReport> reports;
  if (!inputs.root->evaluation) return reports;
  for (const Candidate& c : choose(inputs)) reports.push_back(describe(c, inputs));
  if (reports.empty()) reports = policy_moves(inputs);
  std::stable_sort(reports.begin(), reports.end(), [](const MoveReport& a, const MoveReport& b) {
    if (a.play_selection_value != b.play_selection_value)
      return a.play_selection_value > b.play_selection_value;
    if (a.edge_visits != b.edge_visits) return a.edge_visits > b.edge_visits;
    return a.prior > b.prior;
  });
  add_mirrors(*inputs.view, reports);
  for (std::size_t i = 0; i < reports.size(); ++i) reports[i].order = static_cast<int>(i);
  return reports;
}

void average_ownership(const Node* node, const SearchSettings& s, const UtilityScale& scale,
                       float* mean, float* stdev) {
  OwnershipSum sum(s, scale, node, node->evaluation->area());
  sum.walk(node, 1.0);
  sum.store(mean, stdev);
}

}  // namespace sparring
