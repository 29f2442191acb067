// The search in Python: settings, trees, what they found, the cache of evaluations.
#include "bind_tree.h"

#include <cmath>
#include <cstring>
#include <string>

#include "bind_rows.h"
#include "connect4_search.h"
#include "go_search.h"
#include "othello_search.h"
#include "score_utility.h"
#include "tree_report.h"

namespace sparring {

namespace {

using Vector = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

// A numpy vector that owns a copy of `values`.
Vector to_numpy(const std::vector<float>& values) {
  auto* data = new float[values.size() + 1];
  std::memcpy(data, values.data(), values.size() * sizeof(float));
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Vector(data, {values.size()}, owner);
}

// None where nothing is proven.
std::optional<std::pair<int, int>> pair_of(const ScoreBounds& bounds) {
  if (bounds.low == Node::kUnknown && bounds.high == -Node::kUnknown) return std::nullopt;
  return std::pair{bounds.low, bounds.high};
}

void bind_settings(nb::module_& m) {
  nb::class_<SearchSettings> settings(m, "SearchSettings",
                                      "How the tree searches; names and defaults as in KataGo.");
  settings.def(nb::init<>()).def("copy", [](const SearchSettings& s) { return s; });
#define FIELD(name) settings.def_rw(#name, &SearchSettings::name)
  FIELD(win_loss_utility_factor);
  FIELD(static_score_utility_factor);
  FIELD(dynamic_score_utility_factor);
  FIELD(dynamic_score_center_zero_weight);
  FIELD(dynamic_score_center_scale);
  FIELD(no_result_utility);
  FIELD(draw_equivalent_wins);
  FIELD(cpuct_exploration);
  FIELD(cpuct_exploration_log);
  FIELD(cpuct_exploration_base);
  FIELD(cpuct_utility_stdev_prior);
  FIELD(cpuct_utility_stdev_prior_weight);
  FIELD(cpuct_utility_stdev_scale);
  FIELD(fpu_reduction_max);
  FIELD(root_fpu_reduction_max);
  FIELD(fpu_parent_weight_by_visited_policy_pow);
  FIELD(virtual_losses);
  FIELD(value_weight_exponent);
  FIELD(use_noise_pruning);
  FIELD(noise_prune_utility_scale);
  FIELD(subtree_value_bias_factor);
  FIELD(subtree_value_bias_free_prop);
  FIELD(subtree_value_bias_weight_exponent);
  FIELD(use_uncertainty);
  FIELD(uncertainty_coefficient);
  FIELD(uncertainty_max_weight);
  FIELD(use_graph_search);
  FIELD(solve_empties);
  FIELD(root_symmetries);
  FIELD(root_symmetry_pruning);
  FIELD(root_noise);
  FIELD(root_dirichlet_concentration);
  FIELD(root_dirichlet_weight);
  FIELD(root_forced_playouts);
  FIELD(root_epsilon);
  FIELD(root_policy_temperature);
  FIELD(wide_root_noise);
  FIELD(root_ending_bonus_points);
  FIELD(conservative_pass);
  FIELD(policy_temperature);
  FIELD(use_lcb_for_selection);
  FIELD(lcb_stdevs);
  FIELD(min_visit_prop_for_lcb);
  FIELD(in_flight_factor);
  FIELD(in_flight_exponent);
#undef FIELD
}

void bind_values(nb::module_& m) {
  nb::class_<NetworkScales>(m, "NetworkScales", "What raw network outputs are multiplied by.")
      .def(nb::init<>())
      .def_rw("version", &NetworkScales::version)
      .def_rw("score_mean", &NetworkScales::score_mean)
      .def_rw("score_stdev", &NetworkScales::score_stdev)
      .def_rw("lead", &NetworkScales::lead)
      .def_rw("variance_time", &NetworkScales::variance_time)
      .def_rw("win_loss_error", &NetworkScales::win_loss_error)
      .def_rw("score_error", &NetworkScales::score_error);

  nb::class_<EvaluationCache>(m, "EvaluationCache",
                              "A bounded table of evaluations, shared by searches in any thread.")
      .def(nb::init<int64_t>(), "entries"_a)
      .def("clear", &EvaluationCache::clear)
      .def_prop_ro("capacity", &EvaluationCache::capacity)
      .def("__len__", &EvaluationCache::size);

  nb::class_<MoveReport>(m, "MoveReport", "A root move, its mover's view; see records.MoveStats.")
      .def_ro("move", &MoveReport::move)
      .def_ro("order", &MoveReport::order)
      .def_ro("visits", &MoveReport::visits)
      .def_ro("edge_visits", &MoveReport::edge_visits)
      .def_ro("win_rate", &MoveReport::win_rate)
      .def_ro("no_result", &MoveReport::no_result)
      .def_ro("score_lead", &MoveReport::score_lead)
      .def_ro("score_mean", &MoveReport::score_mean)
      .def_ro("score_stdev", &MoveReport::score_stdev)
      .def_ro("utility", &MoveReport::utility)
      .def_ro("lcb", &MoveReport::lcb)
      .def_ro("utility_lcb", &MoveReport::utility_lcb)
      .def_ro("prior", &MoveReport::prior)
      .def_ro("weight", &MoveReport::weight)
      .def_ro("edge_weight", &MoveReport::edge_weight)
      .def_ro("play_selection_value", &MoveReport::play_selection_value)
      .def_prop_ro("bounds", [](const MoveReport& r) { return pair_of(r.bounds); })
      .def_ro("symmetry_of", &MoveReport::symmetry_of)
      .def_ro("symmetry", &MoveReport::symmetry)
      .def_ro("pv", &MoveReport::pv)
      .def_ro("pv_visits", &MoveReport::pv_visits)
      .def_ro("pv_edge_visits", &MoveReport::pv_edge_visits);

  nb::class_<Values>(m, "Values", "An evaluation, Black's view.")
      .def_ro("black_win", &Values::black_win)
      .def_ro("white_win", &Values::white_win)
      .def_ro("no_result", &Values::no_result)
      .def_ro("score_mean", &Values::score_mean)
      .def_ro("score_mean_square", &Values::score_mean_square)
      .def_ro("lead", &Values::lead)
      .def_ro("win_loss_error", &Values::win_loss_error)
      .def_ro("score_error", &Values::score_error)
      .def_ro("variance_time", &Values::variance_time);

  nb::class_<NodeStats>(m, "NodeStats", "Averages of a node, Black's view.")
      .def_ro("visits", &NodeStats::visits)
      .def_ro("weight", &NodeStats::weight_sum)
      .def_ro("win_loss", &NodeStats::win_loss)
      .def_ro("no_result", &NodeStats::no_result)
      .def_ro("score_mean", &NodeStats::score_mean)
      .def_ro("score_mean_square", &NodeStats::score_mean_square)
      .def_ro("lead", &NodeStats::lead)
      .def_ro("utility", &NodeStats::utility);
}

// Ownership below the root (move < 0) or below one of its moves, the root mover's view: (mean,
// standard deviation); two empty vectors where nothing is known.
template <typename G>
nb::tuple ownership(Tree<G>& tree, int move) {
  const Node* node = tree.root();
  if (move >= 0) {
    node = nullptr;
    for (const Edge& edge : tree.root()->edges)
      if (edge.move == move) node = edge.child;
  }
  std::vector<float> mean;
  std::vector<float> stdev;
  if (G::kHasOwnership && node && node->evaluation) {
    mean.resize(node->evaluation->area());
    stdev.resize(node->evaluation->area());
    average_ownership(node, tree.settings(), tree.scale(), mean.data(), stdev.data());
    if (tree.root()->to_move == 1)
      for (float& o : mean) o = -o;
  }
  return nb::make_tuple(to_numpy(mean), to_numpy(stdev));
}

template <typename G>
Vector root_policy(Tree<G>& tree) {
  const int moves = tree.game().move_count();
  std::vector<float> policy(moves, -1.0f);
  const Node& root = *tree.root();
  for (int move = 0; root.evaluation && move < moves; ++move)
    policy[move] = root.evaluation->prior(move);
  return to_numpy(policy);
}

template <typename G>
int select(Tree<G>& tree, int slot, Planes spatial, Matrix global, int rows, int64_t budget) {
  check_slot(slot);
  check_inputs(tree.game(), rows, spatial, global);
  nb::gil_scoped_release unlocked;
  return tree.select(slot, spatial.data(), global.data(), rows, budget);
}

template <typename G>
void update(Tree<G>& tree, int slot, Matrix policy, Matrix value, Matrix misc, Matrix owners) {
  check_slot(slot);
  check_outputs(tree.game(), tree.rows_of(slot), policy, value, misc, owners);
  nb::gil_scoped_release unlocked;
  tree.update(slot, policy.data(), value.data(), misc.data(), owners.data());
}

template <typename G>
void set_prior_weights(Tree<G>& tree, const std::vector<float>& weights) {
  if (!weights.empty() && weights.size() != static_cast<std::size_t>(tree.game().move_count()))
    throw nb::value_error("there must be one prior weight a move");
  for (const float weight : weights)
    if (!std::isfinite(weight) || weight < 0)
      throw nb::value_error(("a prior weight cannot be " + std::to_string(weight)).c_str());
  tree.set_prior_weights(weights);
}

template <typename G>
void bind_tree_of(nb::module_& m, const char* name) {
  using T = Tree<G>;
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<T>(m, name, "A search graph over one game; see tree.h. One thread at a time.")
      .def(nb::init<const G&, const SearchSettings&, const NetworkScales&, EvaluationCache*,
                    uint64_t, uint64_t>(),
           "game"_a, "settings"_a, "scales"_a, "cache"_a.none(), "network_key"_a, "seed"_a,
           nb::keep_alive<1, 5>())
      .def("set_settings", &T::set_settings, "settings"_a, Unlocked())
      .def("set_restriction", &T::set_restriction, "color"_a, "until"_a)
      .def("set_prior_weights", &set_prior_weights<G>, "weights"_a)
      .def("set_game", &T::set_game, "game"_a, Unlocked())
      .def("advance", &T::advance, "move"_a, "game"_a, Unlocked())
      .def("begin", &T::begin, Unlocked())
      .def("select", &select<G>, "slot"_a, "spatial"_a, "globals"_a, "rows"_a, "budget"_a)
      .def("update", &update<G>, "slot"_a, "policy"_a, "value"_a, "misc"_a, "ownership"_a)
      .def("abandon", &T::abandon, "slot"_a)
      .def(
          "report",
          [](T& tree, int pv_length) {
            return report_moves(
                {tree.root(), &tree.root_view(), &tree.settings(), &tree.scale(), pv_length});
          },
          "pv_length"_a = 20, Unlocked())
      .def("ownership", &ownership<G>, "move"_a = -1,
           nb::sig("def ownership(self, move: int = -1) -> tuple["
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"))
      .def("policy", &root_policy<G>)
      .def("symmetric_move", &T::symmetric_move, "move"_a, "symmetry"_a)
      .def("symmetric_cell", &T::symmetric_cell, "cell"_a, "symmetry"_a)
      .def_prop_ro("root", [](T& tree) { return tree.root()->stats; })
      .def_prop_ro("root_values",
                   [](T& tree) {
                     return tree.root()->evaluation ? tree.root()->evaluation->values() : Values();
                   })
      .def_prop_ro("evaluated", [](T& tree) { return static_cast<bool>(tree.root()->evaluation); })
      .def_prop_ro("to_move", [](T& tree) { return static_cast<int>(tree.root()->to_move); })
      .def_prop_ro("position_hash", [](T& tree) { return tree.game().graph_hash(); })
      .def_prop_ro("symmetry_hash", [](T& tree) { return symmetric_hash(tree.game()); })
      .def_prop_ro("bounds",
                   [](T& tree) { return pair_of(tree.root()->bounds_of(tree.root()->to_move)); })
      .def_prop_ro("proven", &T::proven)
      .def_prop_ro("nodes", &T::nodes)
      .def_prop_ro("playouts", &T::playouts)
      .def_prop_ro("in_flight", &T::in_flight)
      .def_prop_ro("rows_evaluated", &T::rows_evaluated)
      .def_prop_ro("cache_hits", &T::cache_hits);
}

}  // namespace

void bind_tree(nb::module_& m) {
  bind_settings(m);
  bind_values(m);
  bind_tree_of<GoPosition>(m, "GoTree");
  bind_tree_of<OthelloPosition>(m, "OthelloTree");
  bind_tree_of<Connect4Position>(m, "Connect4Tree");
  m.def("expected_score_value", &expected_score_value, "mean"_a, "stdev"_a, "center"_a, "width"_a);
}

}  // namespace sparring
