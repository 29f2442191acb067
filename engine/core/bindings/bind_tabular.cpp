// The Python interface of the graph of a small dark chess, and of AlphaZero with a table on it.
#include "bindings/bind_tabular.h"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/bind_position.h"
#include "selfplay/tabular_alphazero.h"

namespace sparring {

namespace {

constexpr int kMostGames = 1'000'000, kMostQuiet = 1000, kMostWindow = 1000;

using GraphPointer = std::shared_ptr<PositionGraph>;

int checked_position(const PositionGraph& graph, int position) {
  return checked("position", position, 0, graph.positions() - 1);
}

void bind_graph(nb::module_& m) {
  nb::class_<PositionGraph>(
      m, "PositionGraph",
      "All positions that play reaches from the start of a small dark chess, numbered from 0, the\n"
      "start.")
      .def(
          "__init__",
          [](PositionGraph* self, const DarkChessPosition& start) {
            nb::gil_scoped_release unlocked;
            new (self) PositionGraph(*start.board().geometry, start.rules().material);
          },
          "start"_a, "Takes seconds. ValueError on more than 2,000,000 positions.")
      .def_prop_ro("positions", &PositionGraph::positions)
      .def_prop_ro("moves", &PositionGraph::moves)
      .def(
          "actions",
          [](const PositionGraph& self, int position) {
            std::vector<std::pair<int, std::vector<std::pair<int, int>>>> out;
            for (const GraphAction& action : self.actions(checked_position(self, position))) {
              auto& [move, outcomes] = out.emplace_back();
              move = action.move;
              for (const GraphOutcome& each : self.outcomes(action))
                outcomes.emplace_back(each.position, each.weight);
            }
            return out;
          },
          "position"_a,
          "(move, [(position, weight) of each outcome]) of each action; position -1: won.")
      .def(
          "image",
          [](const PositionGraph& self, int position, int symmetry) {
            return self.image(checked_position(self, position),
                              checked("symmetry", symmetry, 0, PositionGraph::kSymmetries - 1));
          },
          "position"_a, "symmetry"_a,
          "The position after a symmetry: bits 0 and 1 mirror the board, bit 2 exchanges colors.")
      .def(
          "image_of_move",
          [](const PositionGraph& self, int move, int symmetry) {
            return self.image_of_move(
                checked("move", move, 0, self.moves() - 1),
                checked("symmetry", symmetry, 0, PositionGraph::kSymmetries - 1));
          },
          "move"_a, "symmetry"_a)
      .def("values", &PositionGraph::values, "solution"_a, Unlocked(),
           "The solved value of each position for its side to move, multiples of 1 / `whole`.");
}

void check(const TabularSettings& settings) {
  checked("simulations", settings.simulations, 1, kMostRollouts);
  checked("window", settings.window, 1, kMostWindow);
  checked("quiet_limit", settings.quiet_limit, 1, kMostQuiet);
  checked("symmetries", settings.symmetries, 1, 0xff);
  if (settings.symmetries % 2 == 0) refuse("symmetries without the identity");
  checked("noise_share", settings.noise_share, 0, 1);
  checked("exploration", settings.exploration, 0, 1e6);
  checked("noise_alpha", settings.noise_alpha, 1e-6, 1e6);
  checked("temperature", settings.temperature, 1e-3, 1e6);
}

}  // namespace

void bind_tabular(nb::module_& m) {
  bind_graph(m);
  using S = TabularSettings;
  nb::class_<S>(m, "TabularSettings", "Settings of AlphaZero with a table.")
      .def(nb::init<>())
      .def_rw("simulations", &S::simulations)
      .def_rw("exploration", &S::exploration, "c_puct.")
      .def_rw("noise_alpha", &S::noise_alpha, "alpha of the root's noise.")
      .def_rw("noise_share", &S::noise_share, "Its share, epsilon.")
      .def_rw("temperature", &S::temperature, "tau.")
      .def_rw("symmetries", &S::symmetries, "Bits by symmetry; bit 0 is the identity.")
      .def_rw("window", &S::window, "Iterations whose games are learned from.")
      .def_rw("quiet_limit", &S::quiet_limit, "Quiet moves that make a draw.");
  nb::class_<TabularSeries>(m, "TabularSeries", "Results against optimal play.")
      .def_ro("games", &TabularSeries::games)
      .def_ro("points", &TabularSeries::points, "A draw is half.")
      .def_ro("illegal", &TabularSeries::illegal, "Games lost by an illegal move.");
  nb::class_<TabularAlphaZero>(
      m, "TabularAlphaZero",
      "AlphaZero with a table in place of a network; not for several threads at once.")
      .def(
          "__init__",
          [](TabularAlphaZero* self, const GraphPointer& graph, const TabularSettings& settings,
             std::uint64_t seed) {
            check(settings);
            new (self) TabularAlphaZero(graph, settings, seed);
          },
          "graph"_a, "settings"_a, "seed"_a)
      .def(
          "play",
          [](TabularAlphaZero& self, int games) {
            return self.play(checked("games", games, 1, kMostGames));
          },
          "games"_a, Unlocked(),
          "Plays an iteration's games with itself. Returns the number of their positions.")
      .def(
          "learn",
          [](TabularAlphaZero& self, double rate) {
            return self.learn(checked("rate", rate, 0, 1e6));
          },
          "rate"_a, Unlocked(),
          "Learns once from each position of the window and its images. Returns their number.")
      .def(
          "value",
          [](const TabularAlphaZero& self, int position) {
            return self.value(checked_position(self.graph(), position));
          },
          "position"_a, "1 won, 0 lost, for the side to move.")
      .def(
          "policy",
          [](const TabularAlphaZero& self, int position) {
            return self.policy(checked_position(self.graph(), position));
          },
          "position"_a, "The probability of each move, illegal ones included, [moves].")
      .def(
          "search",
          [](TabularAlphaZero& self, int position) {
            return self.search(checked_position(self.graph(), position));
          },
          "position"_a, Unlocked(), "Visits of each action in a search without noise.")
      .def_prop_ro("distinct", &TabularAlphaZero::distinct,
                   "Positions learned from so far, images included, each counted once.")
      .def(
          "against_optimal",
          [](TabularAlphaZero& self, const std::vector<int>& values, int games, int quiet_limit) {
            if (static_cast<int>(values.size()) != self.graph().positions())
              refuse("values of another number of positions");
            return self.against_optimal(values, checked("games", games, 1, kMostGames),
                                        checked("quiet_limit", quiet_limit, 1, kMostQuiet));
          },
          "values"_a, "games"_a, "quiet_limit"_a, Unlocked(),
          "Plays the likeliest move without search, half the games first, against best play by\n"
          "the values of PositionGraph. An illegal move loses.");
}

}  // namespace sparring
