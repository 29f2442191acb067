// The Python interface of EinStein wuerfelt nicht.
#include "bindings/bind_einstein.h"

#include "agents/einstein_agents.h"
#include "bindings/bind_position.h"
#include "einstein/einstein.h"
#include "solvers/chance_perft.h"

namespace sparring {

namespace {

// In a list of placed pieces a code above the pieces' is the die, on cell -1.
constexpr int kDie = EinsteinPosition::kCodes;

using Placed = std::vector<std::pair<int, int>>;

void set_up(EinsteinPosition& self, const Placed& stones, int to_move) {
  EinsteinSetup setup;
  for (const auto& [code, cell] : stones) {
    checked("piece", code, 0, kDie + EinsteinPosition::kNumbers - 1);
    if (code < kDie)
      setup.pieces.emplace_back(code, checked_cell(self, cell));
    else
      setup.die = code - kDie + 1;
  }
  if (!self.setup(setup, checked_color(to_move)))
    refuse(
        "a piece or a cell set up twice, a side without pieces, two winners, or another number of "
        "dice than one in a game that goes on and none elsewhere");
}

Placed placed(const EinsteinPosition& self) {
  const EinsteinSetup setup = self.as_setup();
  Placed out = setup.pieces;
  if (setup.die > 0) out.emplace_back(kDie + setup.die - 1, -1);
  return out;
}

void bind_chance(nb::class_<EinsteinPosition>& position) {
  position
      .def_prop_ro("played_move_count", &EinsteinPosition::played_move_count,
                   "Played moves are 0..played_move_count - 1: those with outcomes included.")
      .def(
          "outcomes",
          [](const EinsteinPosition& self, int move) {
            if (!is_legal(self, move, 0, false)) check_legal(self, move, 1, false);
            if (self.die_of(move) > 0) return std::vector<std::pair<int, int>>{{move, 1}};
            return self.outcomes(move);
          },
          "move"_a,
          "(played move, weight) of each outcome of a move: the six dice of the next side, or the\n"
          "move itself. ValueError on a move that is illegal for both sides.")
      .def(
          "with_outcome",
          [](const EinsteinPosition& self, int move, int die) {
            checked_move(self, move);
            return self.with_outcome(self.move_without_outcome(move),
                                     checked("die", die, 1, EinsteinPosition::kNumbers));
          },
          "move"_a, "die"_a, "The played move with this die of the next side.")
      .def(
          "without_outcome",
          [](const EinsteinPosition& self, int move) {
            return self.move_without_outcome(checked_move(self, move));
          },
          "move"_a, "The move, 0..move_count - 1, of a played move.")
      .def(
          "outcome_of",
          [](const EinsteinPosition& self, int move) {
            return self.die_of(checked_move(self, move));
          },
          "move"_a, "The die of a played move; 0 for none.");
}

// An agent; the game is not over.
void bind_agent(nb::module_& m, const char* name,
                Finding (*choose)(const EinsteinPosition&, std::uint64_t), const char* doc) {
  m.def(
      name,
      [choose](const EinsteinPosition& position, std::uint64_t seed) {
        if (position.is_over()) refuse("the game is over: there is no move to choose");
        return choose(position, seed);
      },
      "position"_a, "seed"_a, doc);
}

}  // namespace

void bind_einstein(nb::module_& m) {
  auto position = nb::class_<EinsteinPosition>(
      m, "EinsteinPosition",
      "A position of EinStein wuerfelt nicht on 5x5. A piece is color * 6 + number - 1; Red, "
      "color\n"
      "0, begins at the top left. Moves are the 112 steps of the board by cell and direction "
      "(right,\n"
      "down, both, left, up, both), then the 720 placings. The die of the next side is a move's "
      "outcome.");
  position.def(nb::init<>());
  bind_common(position);
  bind_chance(position);
  position.def_prop_ro("to_move", &EinsteinPosition::to_move)
      .def_prop_ro("black_score", &EinsteinPosition::black_score,
                   "1 for a win of color 0, -1 for a loss, 0 before the end.")
      .def_prop_ro("die", &EinsteinPosition::die, "The die of the side to move; 0 for none.")
      .def_prop_ro("phase", &EinsteinPosition::phase,
                   "0 before the placings, then 1/4 to 1 by the piece nearest to its goal.")
      .def_prop_ro("is_placing", &EinsteinPosition::is_placing, "Whether pieces are placed.")
      .def(
          "movable",
          [](const EinsteinPosition& self) {
            const auto cells = self.movable(self.to_move());
            return std::vector<int>(cells.begin(), cells.end());
          },
          "The cells of the pieces that the die lets move, at most two.")
      .def_prop_ro(
          "pieces",
          [](const EinsteinPosition& self) {
            return board_array<std::int8_t>(self, [&](int cell) { return self.piece_at(cell); });
          },
          nb::rv_policy::automatic, "int8 [5, 5]: -1 empty, else color * 6 + number - 1.")
      .def("setup", &set_up, "stones"_a, "to_move"_a = 0,
           "Replaces the board by (piece, cell)s; (11 + die, -1) is the die. No piece: the start.\n"
           "ValueError, with nothing changed, on a board that can't be.")
      .def_prop_ro("placed", &placed, "The board as (piece, cell)s for setup.")
      .def_prop_ro(
          "stones",
          [](const EinsteinPosition& self) {
            return board_array<std::uint8_t>(self,
                                             [&](int cell) { return self.color_at(cell) + 1; });
          },
          nb::rv_policy::automatic, "uint8 [5, 5]: 0 empty, 1 Red, 2 Blue.")
      .def_prop_ro("hash", &EinsteinPosition::board_hash)
      .def("features", &plain_features<EinsteinPosition>, "symmetry"_a = 0,
           "(uint8 [planes, height, width], float32 [globals]) the network's inputs.");
  bind_perft<EinsteinPosition>(m);
  bind_agent(m, "random_move", &random_move,
             "Any legal move, uniformly; without the die of the next side.");
  bind_agent(m, "greedy_step", &greedy_step,
             "The step of the greatest immediate worth, of equal ones any; any placing.");
}

}  // namespace sparring
