// The agents of dark chess in Python, as functions of a position and a seed. Arguments are checked
// here; the GIL is released during the search.
#include "bindings/bind_darkchess_agents.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "agents/dark_chess_material.h"
#include "agents/dark_chess_minimax.h"
#include "agents/dark_knight.h"
#include "bindings/bind_position.h"
#include "solvers/darkchess_hunt.h"

namespace sparring {

namespace {

constexpr int kMostPlies = 10;
constexpr int kMostHuntPlies = 100;

const DarkChessPosition& not_over(const DarkChessPosition& position) {
  if (position.is_over()) refuse("the game is over: there is no move to choose");
  return position;
}

void bind_settings(nb::module_& m) {
  nb::enum_<BiasCount>(m, "BiasCount", "The divisor of the progressive bias.")
      .value("visits", BiasCount::kVisits)
      .value("root_visits", BiasCount::kRootVisits)
      .value("log_visits", BiasCount::kLogVisits)
      .value("losses", BiasCount::kLosses)
      .value("root_losses", BiasCount::kRootLosses)
      .value("log_losses", BiasCount::kLogLosses);
  using S = DarkKnightSettings;
  nb::class_<S>(m, "DarkKnightSettings", "Settings of DarkKnight's search; see dark_knight.h.")
      .def(nb::init<>())
      .def_rw("simulations", &S::simulations)
      .def_rw("stops_when_decided", &S::stops_when_decided,
              "Whether the search ends once its move can't change.")
      .def_rw("exploration", &S::exploration, "C of UCB, for results of -1..1.")
      .def_rw("capture_share", &S::capture_share, "Probability that a playout captures if it can.")
      .def_rw("visits_captures_first", &S::visits_captures_first,
              "Whether captures come first among unvisited actions.")
      .def_rw("quiet_limit", &S::quiet_limit,
              "Quiet moves to a draw in a simulation; see dark_knight.h.")
      .def_rw("ends_early", &S::ends_early, "Early playout termination by likely outcomes.")
      .def_rw("outcome_noise", &S::outcome_noise, "Probability that a likely win is reversed.")
      .def_rw("minimax_share", &S::minimax_share, "Implicit minimax backups: w, or c_c.")
      .def_rw("minimax_scale", &S::minimax_scale, "Slope of the evaluation's sigmoid.")
      .def_rw("minimax_decay", &S::minimax_decay, "c_s of the dynamic share; 0: a fixed one.")
      .def_rw("minimax_decay_visits", &S::minimax_decay_visits, "c_N of the dynamic share.")
      .def_rw("length_share", &S::length_share, "a_L of rewards by length.")
      .def_rw("length_slope", &S::length_slope, "k_L.")
      .def_rw("terminal_share", &S::terminal_share, "a_T of rewards by the winner's pieces.")
      .def_rw("terminal_slope", &S::terminal_slope, "k_T.")
      .def_rw("terminal_weight", &S::terminal_weight, "c_w.")
      .def_rw("bias_share", &S::bias_share, "c_PB of the progressive bias.")
      .def_rw("bias_count", &S::bias_count, "Its divisor.")
      .def_prop_rw(
          "bias_curb", [](const S& self) { return self.bias.curb; },
          [](S& self, double curb) { self.bias.curb = curb; }, "c_curb; 0: no curbs.")
      .def_prop_rw(
          "bias_flip", [](const S& self) { return self.bias.flip; },
          [](S& self, double flip) { self.bias.flip = flip; }, "c_flip.")
      .def_prop_rw(
          "bias_values_flips", [](const S& self) { return self.bias.values_flips; },
          [](S& self, bool values) { self.bias.values_flips = values; },
          "Whether flips have a bias.");
  nb::class_<DarkKnightResult>(m, "DarkKnightResult", "A finished search of DarkKnight.")
      .def_ro("finding", &DarkKnightResult::finding, "Its value is the root's mean reward.")
      .def_prop_ro(
          "actions",
          [](const DarkKnightResult& self) {
            std::vector<std::pair<int, std::pair<std::int64_t, double>>> out;
            for (const DarkKnightAction& action : self.actions)
              out.push_back({action.move, {action.visits, action.value}});
            return out;
          },
          "(move, (visits, mean reward for its side)) of each legal move.")
      .def_ro("mean_playout", &DarkKnightResult::mean_playout, "Actions of a playout.");
}

}  // namespace

void check_search(const DarkKnightSettings& settings, const DarkChessPosition& position) {
  checked("simulations", settings.simulations, 1, kMostRollouts);
  checked("quiet_limit", settings.quiet_limit, 1, 1000);
  for (const auto& [name, share] : {std::pair{"capture_share", settings.capture_share},
                                    std::pair{"outcome_noise", settings.outcome_noise},
                                    std::pair{"minimax_share", settings.minimax_share},
                                    std::pair{"length_share", settings.length_share},
                                    std::pair{"terminal_share", settings.terminal_share}})
    checked(name, share, 0, 1);
  for (const auto& [name, number] :
       {std::pair{"exploration", settings.exploration},
        std::pair{"minimax_scale", settings.minimax_scale},
        std::pair{"minimax_decay", settings.minimax_decay},
        std::pair{"minimax_decay_visits", settings.minimax_decay_visits},
        std::pair{"length_slope", settings.length_slope},
        std::pair{"terminal_slope", settings.terminal_slope},
        std::pair{"terminal_weight", settings.terminal_weight},
        std::pair{"bias_share", settings.bias_share}, std::pair{"curb", settings.bias.curb},
        std::pair{"flip", settings.bias.flip}})
    checked(name, number, 0, 1e6);
  if (!settings.ends_early) return;
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    if (position.rules().material[kind] > kUsualMaterial[kind])
      refuse("likely outcomes are known for the usual material alone");
}

void bind_darkchess_agents(nb::module_& m) {
  bind_settings(m);
  m.def(
      "search_dark_knight",
      [](const DarkChessPosition& position, const DarkKnightSettings& settings,
         std::uint64_t seed) {
        check_search(settings, not_over(position));
        const DarkChessPosition copy = position;
        const DarkKnightSettings own = settings;
        nb::gil_scoped_release unlocked;
        return search_dark_knight(copy, own, seed);
      },
      "position"_a, "settings"_a, "seed"_a, "DarkKnight's Monte Carlo tree search.");
  m.def(
      "search_dark_knight_stages",
      [](const DarkChessPosition& position, const DarkKnightSettings& settings, std::uint64_t seed,
         const std::vector<int>& stages) {
        check_search(settings, not_over(position));
        int before = 0;
        for (const int stage : stages) before = checked("stages", stage, before + 1, kMostRollouts);
        const DarkChessPosition copy = position;
        const DarkKnightSettings own = settings;
        nb::gil_scoped_release unlocked;
        return search_dark_knight_stages(copy, own, seed, stages);
      },
      "position"_a, "settings"_a, "seed"_a, "stages"_a,
      "The results of one search after each of these rising numbers of simulations.");
  m.def(
      "dark_chess_minimax",
      [](const DarkChessPosition& position, int plies, std::uint64_t seed) {
        checked("plies", plies, 1, kMostPlies);
        const DarkChessPosition copy = not_over(position);
        nb::gil_scoped_release unlocked;
        return dark_chess_minimax(copy, plies, seed);
      },
      "position"_a, "plies"_a, "seed"_a,
      "Expectiminimax on weighted material, ties broken at random.");
  m.def(
      "random_move",
      [](const DarkChessPosition& position, std::uint64_t seed) {
        return random_move(not_over(position), seed);
      },
      "position"_a, "seed"_a, "Any legal move, uniformly; a flip without its outcome.");
  m.def(
      "dark_chess_bias",
      [](const DarkChessPosition& position, int move, const DarkKnightSettings& settings) {
        check_legal(position, move, std::nullopt, false);
        const DarkChessGeometry& geometry = *position.board().geometry;
        const int plain = position.move_without_outcome(move);
        return settings.bias(position.board(), {static_cast<std::uint8_t>(geometry.from_of(plain)),
                                                static_cast<std::uint8_t>(geometry.to_of(plain))});
      },
      "position"_a, "move"_a, "settings"_a, "The heuristic of the progressive bias for a move.");
  nb::class_<DarkChessHunt>(m, "DarkChessHunt", "See solvers/darkchess_hunt.h.")
      .def_ro("is_won", &DarkChessHunt::is_won, "Whether the mover's material is a likely win.")
      .def_ro("moves", &DarkChessHunt::moves, "The moves that force a capture soonest.")
      .def_ro("plies", &DarkChessHunt::plies, "Plies up to it.")
      .def_ro("repeating", &DarkChessHunt::repeating, "The legal moves that repeat a position.");
  m.def(
      "hunt_dark_chess",
      [](const DarkChessPosition& position, int most_plies, std::int64_t most_boards) {
        checked("most_plies", most_plies, 1, kMostHuntPlies);
        const DarkChessPosition copy = not_over(position);
        nb::gil_scoped_release unlocked;
        return hunt(copy, most_plies, most_boards);
      },
      "position"_a, "most_plies"_a, "most_boards"_a,
      "The captures that the mover can force in a likely won ending.");
  m.def(
      "likely_outcome",
      [](const std::array<int, kDarkChessKinds>& red,
         const std::array<int, kDarkChessKinds>& black) {
        Material material{};
        for (int kind = 0; kind < kDarkChessKinds; ++kind) {
          material[0][kind] =
              static_cast<std::uint8_t>(checked("red", red[kind], 0, kUsualMaterial[kind]));
          material[1][kind] =
              static_cast<std::uint8_t>(checked("black", black[kind], 0, kUsualMaterial[kind]));
        }
        return static_cast<int>(likely_outcome(material));
      },
      "red"_a, "black"_a,
      "The likely outcome of material by kind, [7] each: 0 unknown, 1 red wins, 2 black wins, 3 a\n"
      "draw.");
  m.def("count_likely_outcomes", &count_likely_outcomes, Unlocked(),
        "The numbers of materials with each likely outcome; takes a second.");
}

}  // namespace sparring
