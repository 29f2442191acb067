// The papers' agents in Python, as functions of a position and a seed. Arguments are checked here;
// the GIL is released during the search.
#include "bindings/bind_agents.h"

#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "agents/agents.h"
#include "common/bounds.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

// Runs think() on a copy of the position: another thread may change the original.
template <typename Position, typename Think>
Finding think_of(Position position, Think think) {
  if (position.is_over()) refuse("the game is over: there is no move to choose");
  nb::gil_scoped_release unlocked;
  return think(position);
}

OthelloTaste taste_named(const std::string& name) {
  if (name == "most_discs") return OthelloTaste::most_discs;
  if (name == "fewest_discs") return OthelloTaste::fewest_discs;
  if (name == "roxanne") return OthelloTaste::roxanne;
  refuse("taste \"" + name + "\" is none of most_discs, fewest_discs, roxanne");
}

AlphaDdaMinimax minimax_numbered(int number, bool published) {
  checked("number", number, 1, 2);
  return {number, published};
}

constexpr int kMostDepth = 20;

template <typename Position>
void bind_for_any_game(nb::module_& m) {
  m.def(
      "random_move",
      [](const Position& position, uint64_t seed) {
        return think_of(position, [&](const Position& p) { return random_move(p, seed); });
      },
      "position"_a, "seed"_a,
      "Any legal move, uniformly. In Go none that fills an own eye of one point, and\n"
      "a pass only without other moves.");
  m.def(
      "first_move",
      [](const Position& position) {
        return think_of(position, [&](const Position& p) { return first_move(p); });
      },
      "position"_a, "The first of the candidates of random_move.");
}

template <typename Position>
void bind_for_board_games(nb::module_& m) {
  m.def(
      "worst_move",
      [](const Position& position, uint64_t seed) {
        return think_of(position, [&](const Position& p) { return worst_move(p, seed); });
      },
      "position"_a, "seed"_a, "The worst move for its mover after the best reply.");
  m.def(
      "alphadda_tree_search",
      [](const Position& position, int playouts, uint64_t seed) {
        checked("playouts", playouts, 1, kMostRollouts);
        return think_of(position,
                        [&](const Position& p) { return alphadda_tree_search(p, playouts, seed); });
      },
      "position"_a, "playouts"_a, "seed"_a, "UCT, the most visited move; see uct.h.");
  m.def(
      "alphadda_minimax",
      [](const Position& position, int number, bool published) {
        const AlphaDdaMinimax kind = minimax_numbered(number, published);
        return think_of(position, [&](const Position& p) { return alphadda_minimax(p, kind); });
      },
      "position"_a, "number"_a, "published"_a = false,
      "AlphaDDA's Minimax1 or 2, of depth 3, ties to the first move; by the paper's text\n"
      "or, with published, by its code.");
  m.def(
      "alphadda_evaluation",
      [](const Position& position, int number) {
        return alphadda_evaluation(position, minimax_numbered(number, false));
      },
      "position"_a, "number"_a, "The evaluation of Minimax1 or 2, the mover's view.");
}

void bind_for_othello(nb::module_& m) {
  m.def(
      "tasteful_move",
      [](const OthelloPosition& position, const std::string& taste, uint64_t seed) {
        const OthelloTaste by = taste_named(taste);
        return think_of(position,
                        [&](const OthelloPosition& p) { return tasteful_move(p, by, seed); });
      },
      "position"_a, "taste"_a, "seed"_a,
      "The best move by most_discs, fewest_discs or roxanne, ties broken at random.");
  m.def(
      "liang_minimax",
      [](const OthelloPosition& position, int depth, bool pruning, uint64_t seed) {
        checked("depth", depth, 1, kMostDepth);
        return think_of(position, [&](const OthelloPosition& p) {
          return liang_minimax(p, depth, pruning, seed);
        });
      },
      "position"_a, "depth"_a, "pruning"_a, "seed"_a,
      "Minimax with Liang's evaluation, ties broken at random; with pruning alpha-beta, the same\n"
      "move.");
  m.def(
      "liang_evaluation",
      [](const OthelloPosition& position, int color) {
        return liang_evaluation(position, checked("color", color, 0, 1));
      },
      "position"_a, "color"_a, "The evaluation of Liang's searching agents, for that color.");
  m.def(
      "liang_tree_search",
      [](const OthelloPosition& position, int loops, uint64_t seed) {
        checked("loops", loops, 1, kMostRollouts);
        return think_of(
            position, [&](const OthelloPosition& p) { return liang_tree_search(p, loops, seed); });
      },
      "position"_a, "loops"_a, "seed"_a,
      "Monte Carlo with rollouts by Roxanne's policy; see roxanne.h.");
}

}  // namespace

void bind_agents(nb::module_& m) {
  nb::class_<Finding>(m, "Finding", "An agent's decision and its cost.")
      .def_ro("move", &Finding::move)
      .def_ro("value", &Finding::value, "The mover's view, in the agent's own measure.")
      .def_ro("nodes", &Finding::nodes, "Positions examined, or games played out.");
  bind_for_any_game<GoPosition>(m);
  bind_for_any_game<OthelloPosition>(m);
  bind_for_any_game<Connect4Position>(m);
  bind_for_board_games<OthelloPosition>(m);
  bind_for_board_games<Connect4Position>(m);
  bind_for_othello(m);
}

}  // namespace sparring
