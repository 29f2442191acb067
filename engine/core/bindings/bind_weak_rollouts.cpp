// The one-ply heuristic, weak rollouts and endgame balancing in Python.
#include "bindings/bind_weak_rollouts.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <numeric>

#include "bindings/bind_position.h"
#include "common/bounds.h"
#include "rollouts/endgame_balance.h"
#include "rollouts/one_ply_heuristic.h"
#include "rollouts/weak_rollouts.h"

namespace sparring {

namespace {

constexpr double kMostGreed = 1000;  // nats

template <typename Position>
void bind_for(nb::module_& m) {
  m.def(
      "one_ply_heuristic",
      [](const Position& position) {
        auto out = new_array<float>({static_cast<std::size_t>(position.move_count())});
        one_ply_heuristic(position, out.data());
        return out;
      },
      "position"_a,
      "float32 [move_count] the one-ply heuristic of each move, in nats; -inf for\n"
      "moves outside random_move.");
  m.def(
      "weak_wins",
      [](const Position& position, double greed, int games, std::uint64_t seed) {
        checked("greed", greed, -kMostGreed, kMostGreed);
        checked("games", games, 1, kMostRollouts);
        Random random(seed);
        nb::gil_scoped_release unlocked;
        return weak_wins(position, greed, games, random);
      },
      "position"_a, nb::kw_only(), "greed"_a, "games"_a, "seed"_a,
      "The share of `games` won by the side to move, a draw half a win, with both\n"
      "sides drawing moves by the softmax of greed times the one-ply heuristic.");
}

template <typename Position>
void bind_endgame_balance(nb::module_& m) {
  m.def(
      "balanced_win_rates",
      [](const Position& position, const std::vector<int>& moves, int side, double target,
         const KindShares& kinds, double greed, int most_nodes) {
        checked("side", side, 0, 1);
        checked("target", target, 0, 1);
        checked("greed", greed, 0, kMostGreed);
        checked("most_nodes", most_nodes, 0, kMostCount);
        for (const double kind : kinds) checked("kinds", kind, 0, 1);
        const double total = std::accumulate(kinds.begin(), kinds.end(), 0.0);
        if (std::abs(total - 1.0) > 1e-6) throw nb::value_error("kinds must sum to 1");
        for (const int move : moves) check_legal(position, move, std::nullopt, false);
        nb::gil_scoped_release unlocked;
        return balanced_win_rates(position, moves, {side, target, kinds, greed, most_nodes});
      },
      "position"_a, "moves"_a, nb::kw_only(), "side"_a, "target"_a, "kinds"_a, "greed"_a,
      "most_nodes"_a,
      "The balancing side's win rate after each move against each kind of player\n"
      "(perverse, careless, greedy, strong, see endgame_balance.h), as near to the\n"
      "target win rate as possible, over all continuations; None for more than\n"
      "most_nodes new positions, those before the last move aside. kinds: the weight\n"
      "of each.");
}

}  // namespace

void bind_weak_rollouts(nb::module_& m) {
  bind_for<GoPosition>(m);
  bind_for<OthelloPosition>(m);
  bind_for<Connect4Position>(m);
  bind_for<DarkChessPosition>(m);
  bind_for<EinsteinPosition>(m);
  bind_endgame_balance<OthelloPosition>(m);
  bind_endgame_balance<Connect4Position>(m);
}

}  // namespace sparring
