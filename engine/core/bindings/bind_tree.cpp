// The search in Python: settings, trees, reports, the cache of evaluations.
#include "bindings/bind_tree.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "bindings/bind_cpu_rows.h"
#include "common/bounds.h"
#include "search/connect4_search.h"
#include "search/darkchess_search.h"
#include "search/einstein_search.h"
#include "search/go_search.h"
#include "search/othello_search.h"
#include "search/score_utility.h"
#include "search/tree_report.h"

namespace sparring {

namespace {

using Vector = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

// A numpy vector with a copy of `values`.
Vector to_numpy(const std::vector<float>& values) {
  auto* data = new float[values.size() + 1];
  std::copy(values.begin(), values.end(), data);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Vector(data, {values.size()}, owner);
}

// None without a proof.
std::optional<std::pair<int, int>> pair_of(const ScoreBounds& bounds) {
  if (bounds.low == Node::kUnknown && bounds.high == -Node::kUnknown) return std::nullopt;
  return std::pair{bounds.low, bounds.high};
}

// Bounds of settings: finite numbers without overflow or division by 0 in the search.
constexpr double kTiny = 1e-6, kPower = 10, kMany = 1e6, kHuge = 1e12;

// A property: a number in least..most.
template <typename Class, typename Number>
void bind_number(nb::class_<Class>& settings, const char* name, Number Class::* field,
                 std::type_identity_t<Number> least, std::type_identity_t<Number> most) {
  settings.def_prop_rw(
      name, [field](const Class& self) { return self.*field; },
      [=](Class& self, Number value) { self.*field = checked(name, value, least, most); });
}

void bind_settings(nb::module_& m) {
  nb::class_<SearchSettings> settings(
      m, "SearchSettings", "The settings of the search; names and defaults are KataGo's.");
  settings.def(nb::init<>()).def("copy", [](const SearchSettings& s) { return s; });
#define SWITCH(name) settings.def_rw(#name, &SearchSettings::name)
#define NUMBER(name, least, most) bind_number(settings, #name, &SearchSettings::name, least, most)
  NUMBER(win_loss_utility_factor, 0, kMany);
  NUMBER(static_score_utility_factor, 0, kMany);
  NUMBER(dynamic_score_utility_factor, 0, kMany);
  NUMBER(dynamic_score_center_zero_weight, 0, 1);
  NUMBER(dynamic_score_center_scale, kTiny, kMany);
  NUMBER(no_result_utility, -kMany, kMany);
  NUMBER(draw_equivalent_wins, 0, 1);
  NUMBER(playout_doubling_advantage, -3, 3);
  NUMBER(playout_doubling_color, -1, 1);
  NUMBER(cpuct_exploration, 0, kHuge);
  NUMBER(cpuct_exploration_log, 0, kMany);
  NUMBER(cpuct_exploration_base, kTiny, kHuge);
  NUMBER(cpuct_weight_offset, 0, kMany);
  NUMBER(cpuct_utility_stdev_prior, 1e-8, kMany);
  NUMBER(cpuct_utility_stdev_prior_weight, 0, kMany);
  NUMBER(cpuct_utility_stdev_scale, 0, kMany);
  NUMBER(fpu_parent_share, 0, 1);
  NUMBER(fpu_reduction_max, 0, kMany);
  NUMBER(root_fpu_reduction_max, 0, kMany);
  NUMBER(fpu_parent_weight_by_visited_policy_pow, 0, kMany);
  NUMBER(virtual_losses, 0, kMany);
  NUMBER(value_weight_exponent, 0, kPower);
  SWITCH(use_noise_pruning);
  NUMBER(noise_prune_utility_scale, kTiny, kMany);
  NUMBER(subtree_value_bias_factor, 0, kMany);
  NUMBER(subtree_value_bias_free_prop, 0, 1);
  NUMBER(subtree_value_bias_weight_exponent, 0, kPower);
  SWITCH(use_uncertainty);
  NUMBER(uncertainty_coefficient, kTiny, kMany);
  NUMBER(uncertainty_max_weight, kTiny, kMany);
  SWITCH(use_graph_search);
  SWITCH(proves);
  SWITCH(random_symmetries);
  NUMBER(solve_empties, -1, 100);
  NUMBER(root_symmetries, 1, 8);
  SWITCH(root_symmetry_pruning);
  SWITCH(ignore_pre_root_history);
  SWITCH(root_noise);
  NUMBER(root_dirichlet_concentration, kTiny, kMany);
  NUMBER(root_dirichlet_weight, 0, 1);
  NUMBER(root_forced_playouts, 0, kMany);
  NUMBER(root_epsilon, 0, 1);
  NUMBER(root_policy_temperature, 0.01, kMany);
  NUMBER(wide_root_noise, 0, kMany);
  NUMBER(root_ending_bonus_points, -kMany, kMany);
  SWITCH(conservative_pass);
  NUMBER(policy_temperature, 0.01, kMany);
  NUMBER(policy_optimism, 0, 1);
  settings.def_prop_rw("root_policy_optimism", &SearchSettings::optimism_at_root,
                       [](SearchSettings& self, double value) {
                         self.root_policy_optimism =
                             checked("root_policy_optimism", value, 0.0, 1.0);
                       });
  SWITCH(use_lcb_for_selection);
  NUMBER(lcb_stdevs, 0, kMany);
  NUMBER(min_visit_prop_for_lcb, 0, 1);
  NUMBER(in_flight_factor, 0, kMany);
  NUMBER(in_flight_exponent, 0, kPower);
#undef NUMBER
#undef SWITCH
}

void bind_values(nb::module_& m) {
  nb::class_<NetworkScales> scales(m, "NetworkScales", "The factors of raw network outputs.");
  scales.def(nb::init<>());
  bind_number(scales, "version", &NetworkScales::version, 1, 1000);
  bind_number(scales, "score_mean", &NetworkScales::score_mean, 0, kMany);
  bind_number(scales, "score_stdev", &NetworkScales::score_stdev, 0, kMany);
  bind_number(scales, "lead", &NetworkScales::lead, 0, kMany);
  bind_number(scales, "variance_time", &NetworkScales::variance_time, 0, kMany);
  bind_number(scales, "win_loss_error", &NetworkScales::win_loss_error, 0, kMany);
  bind_number(scales, "score_error", &NetworkScales::score_error, 0, kMany);
  scales.def_rw("optimistic", &NetworkScales::optimistic);

  nb::class_<EvaluationCache>(m, "EvaluationCache",
                              "A bounded table of evaluations, shared by searches in any thread.")
      .def(
          "__init__",
          [](EvaluationCache* self, int64_t entries) {
            new (self) EvaluationCache(checked("entries", entries, 0, kMostCount));
          },
          "entries"_a)
      .def("clear", &EvaluationCache::clear)
      .def_prop_ro("capacity", &EvaluationCache::capacity)
      .def_prop_ro("bytes", &EvaluationCache::bytes, "Memory of the table and of its evaluations.")
      .def_prop_ro("lookups", &EvaluationCache::lookups)
      .def_prop_ro("hits", &EvaluationCache::hits)
      .def("__len__", &EvaluationCache::size);

  nb::class_<MoveReport>(m, "MoveReport",
                         "A root move, its mover's view; see engine.values.MoveStats.")
      .def(nb::init<>())
      .def_rw("move", &MoveReport::move)
      .def_rw("order", &MoveReport::order)
      .def_rw("visits", &MoveReport::visits)
      .def_rw("edge_visits", &MoveReport::edge_visits)
      .def_rw("win_rate", &MoveReport::win_rate)
      .def_rw("no_result", &MoveReport::no_result)
      .def_rw("score_lead", &MoveReport::score_lead)
      .def_rw("score_mean", &MoveReport::score_mean)
      .def_rw("score_stdev", &MoveReport::score_stdev)
      .def_rw("utility", &MoveReport::utility)
      .def_rw("lcb", &MoveReport::lcb)
      .def_rw("utility_lcb", &MoveReport::utility_lcb)
      .def_rw("prior", &MoveReport::prior)
      .def_rw("weight", &MoveReport::weight)
      .def_rw("edge_weight", &MoveReport::edge_weight)
      .def_rw("play_selection_value", &MoveReport::play_selection_value)
      .def_prop_ro("bounds", [](const MoveReport& r) { return pair_of(r.bounds); })
      .def_rw("symmetry_of", &MoveReport::symmetry_of)
      .def_rw("symmetry", &MoveReport::symmetry)
      .def_rw("pv", &MoveReport::pv)
      .def_rw("pv_visits", &MoveReport::pv_visits)
      .def_rw("pv_edge_visits", &MoveReport::pv_edge_visits);

  nb::class_<Values>(m, "Values", "An evaluation, Black's view.")
      .def(nb::init<>())
      .def_rw("black_win", &Values::black_win)
      .def_rw("white_win", &Values::white_win)
      .def_rw("no_result", &Values::no_result)
      .def_rw("score_mean", &Values::score_mean)
      .def_rw("score_mean_square", &Values::score_mean_square)
      .def_rw("lead", &Values::lead)
      .def_rw("win_loss_error", &Values::win_loss_error)
      .def_rw("score_error", &Values::score_error)
      .def_rw("variance_time", &Values::variance_time);

  nb::class_<NodeStats>(m, "NodeStats", "Averages of a node, Black's view.")
      .def(nb::init<>())
      .def_rw("visits", &NodeStats::visits)
      .def_rw("weight", &NodeStats::weight_sum)
      .def_rw("win_loss", &NodeStats::win_loss)
      .def_rw("no_result", &NodeStats::no_result)
      .def_rw("score_mean", &NodeStats::score_mean)
      .def_rw("score_mean_square", &NodeStats::score_mean_square)
      .def_rw("lead", &NodeStats::lead)
      .def_rw("utility", &NodeStats::utility);
}

// Ownership below the root (move < 0) or below one of its moves, the root mover's view: (mean,
// standard deviation); two empty vectors if unknown.
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
int64_t run(Tree<G>& tree, CpuFlights& flights, bool launches, int64_t visits, int64_t playouts,
            int64_t nodes, double seconds) {
  checked("seconds", seconds, 0, 1e9);
  for (const auto& each : flights.rows) {
    const int rows = each->slot.batch.rows;
    check_inputs(tree.game(), rows, each->spatial, each->globals);
    check_outputs(tree.game(), rows, each->policy, each->value, each->misc, each->ownership);
    if (static_cast<int>(each->optimism.shape(0)) < rows) refuse("optimism must be [rows]");
  }
  nb::gil_scoped_release unlocked;
  return run_playouts(tree, flights.flights, {launches, visits, playouts, nodes, seconds});
}

template <typename G>
void set_prior_weights(Tree<G>& tree, const std::vector<float>& weights) {
  if (!weights.empty() && weights.size() != static_cast<std::size_t>(tree.game().move_count()))
    throw nb::value_error("there must be one prior weight a move");
  // A wanted prior over the least one of a policy, 1e-9, and factors on it.
  for (const float weight : weights) checked("a prior weight", weight, 0.0, kHuge);
  tree.set_prior_weights(weights);
}

template <typename G>
void set_restriction(Tree<G>& tree, int color, const std::vector<int>& until) {
  if (!until.empty() && until.size() != static_cast<std::size_t>(tree.game().move_count()))
    refuse("there must be one depth a move");
  tree.set_restriction(checked_color(color), until);
}

template <typename G>
void check_same_board(const Tree<G>& tree, const G& game) {
  if (game.width() != tree.game().width() || game.height() != tree.game().height())
    refuse("a " + board_name(game) + " does not follow a " + board_name(tree.game()));
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
      .def("set_restriction", &set_restriction<G>, "color"_a, "until"_a)
      .def("set_prior_weights", &set_prior_weights<G>, "weights"_a)
      .def("set_game", &T::set_game, "game"_a, Unlocked())
      .def(
          "advance",
          [](T& tree, int move, const G& game) {
            check_same_board(tree, game);
            nb::gil_scoped_release unlocked;
            tree.advance(move, game);
          },
          "move"_a, "game"_a)
      .def(
          "begin",
          [](T& tree, int least_in_flight) {
            tree.begin(checked("least_in_flight", least_in_flight, 1, kMostCount));
          },
          "least_in_flight"_a = 1, Unlocked())
      .def("select", &select<G>, "slot"_a, "spatial"_a, "globals"_a, "rows"_a, "budget"_a)
      .def(
          "optimism",
          [](T& tree, int slot) {
            check_slot(slot);
            return tree.optimism(slot);
          },
          "slot"_a)
      .def("update", &update<G>, "slot"_a, "policy"_a, "value"_a, "misc"_a, "ownership"_a)
      .def("run", &run<G>, "flights"_a, nb::kw_only(), "launches"_a, "visits"_a, "playouts"_a,
           "nodes"_a, "seconds"_a)
      .def(
          "abandon",
          [](T& tree, int slot) {
            check_slot(slot);
            tree.abandon(slot);
          },
          "slot"_a)
      .def(
          "report",
          [](T& tree, int pv_length) {
            checked("pv_length", pv_length, 0, kMostCount);
            return report_moves(
                {tree.root(), &tree.root_view(), &tree.settings(), &tree.scale(), pv_length});
          },
          "pv_length"_a = 20, Unlocked())
      .def("ownership", &ownership<G>, "move"_a = -1,
           nb::sig("def ownership(self, move: int = -1) -> tuple["
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"))
      .def("policy", &root_policy<G>)
      .def(
          "symmetric_move",
          [](const T& tree, int move, int symmetry) {
            return tree.symmetric_move(checked_move(tree.game(), move),
                                       checked_symmetry(tree.game(), symmetry));
          },
          "move"_a, "symmetry"_a)
      .def(
          "symmetric_cell",
          [](const T& tree, int cell, int symmetry) {
            return tree.symmetric_cell(checked_cell(tree.game(), cell),
                                       checked_symmetry(tree.game(), symmetry));
          },
          "cell"_a, "symmetry"_a)
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
  bind_tree_of<DarkChessPosition>(m, "DarkChessTree");
  bind_tree_of<EinsteinPosition>(m, "EinsteinTree");
  m.def(
      "expected_score_value",
      [](double mean, double stdev, double center, double width) {
        return expected_score_value(
            checked("mean", mean, -kHuge, kHuge), checked("stdev", stdev, 0, kHuge),
            checked("center", center, -kHuge, kHuge), checked("width", width, kTiny, kHuge));
      },
      "mean"_a, "stdev"_a, "center"_a, "width"_a);
  m.def(
      "live_nodes",
      [] {
        const LiveNodes live = live_nodes();
        return nb::make_tuple(live.nodes, live.graphs);
      },
      nb::sig("def live_nodes() -> tuple[int, int]"),
      "The number of nodes in all search trees of this process, and the number of trees.");
}

}  // namespace sparring
