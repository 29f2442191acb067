// Self-play in Python: settings, the games, their rows. Arguments are checked here and in the core;
// the GIL is released during games.
#include "bindings/bind_self_play.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "bindings/bind_rows.h"
#include "search/connect4_search.h"
#include "search/darkchess_search.h"
#include "search/go_search.h"
#include "search/othello_search.h"
#include "selfplay/self_play.h"

namespace sparring {
namespace {

void bind_settings(nb::module_& m) {
  nb::class_<SelfPlaySettings> settings(m, "SelfPlaySettings",
                                        "The settings of self-play games; see the core's "
                                        "self_play_settings.h.");
  settings.def(nb::init<>()).def("copy", [](const SelfPlaySettings& s) { return s; });
#define FIELD(name) settings.def_rw(#name, &SelfPlaySettings::name)
  FIELD(visits);
  FIELD(fast_visits);
  FIELD(full_share);
  FIELD(forced_playouts);
  FIELD(reuse_tree);
  FIELD(opening_moves);
  FIELD(opening_temperature);
  FIELD(opening_softness);
  FIELD(later_temperature);
  FIELD(random_openings);
  FIELD(random_opening_moves);
  FIELD(solve_empties);
  FIELD(solved_random_share);
#undef FIELD
}

// A property: a column of the rows, as a numpy array with a reference to them.
template <typename T>
void bind_column(nb::class_<SelfPlayRows>& rows, const char* name,
                 std::vector<T> SelfPlayRows::* column,
                 std::initializer_list<int SelfPlayRows::*> shape, const char* about) {
  const std::vector<int SelfPlayRows::*> axes = shape;
  rows.def_prop_ro(
      name,
      [column, axes](nb::handle self) {
        SelfPlayRows& of = nb::cast<SelfPlayRows&>(self);
        std::vector<size_t> lengths;
        for (const auto axis : axes) lengths.push_back(static_cast<size_t>(of.*axis));
        return nb::ndarray<nb::numpy, T>((of.*column).data(), lengths.size(), lengths.data(), self);
      },
      about);
}

std::vector<int16_t> moves_of(const SelfPlayRows& rows, int game) {
  const auto found = std::find_if(rows.games.begin(), rows.games.end(),
                                  [game](const auto& moves) { return moves.game == game; });
  if (found == rows.games.end()) refuse("game " + std::to_string(game) + " is not among these");
  return found->moves;
}

void bind_rows(nb::module_& m) {
  using R = SelfPlayRows;
  nb::class_<R> rows(m, "SelfPlayRows",
                     "Positions of finished games, by game and ply; all is the side to move's "
                     "view.");
  rows.def("__len__", [](const R& of) { return of.rows; })
      .def_prop_ro(
          "games",
          [](const R& of) {
            std::vector<int> numbers;
            for (const R::Moves& moves : of.games) numbers.push_back(moves.game);
            return numbers;
          },
          "The numbers of the finished games, rising; some may have no rows.")
      .def("moves", &moves_of, "game"_a, "All moves of a finished game, random ones included.");
  bind_column(rows, "planes", &R::planes, {&R::rows, &R::planes_count, &R::height, &R::width},
              "uint8 [n, planes, height, width]");
  bind_column(rows, "globals", &R::globals, {&R::rows, &R::globals_count}, "float32 [n, globals]");
  bind_column(rows, "legal", &R::legal, {&R::rows, &R::move_count}, "uint8 [n, moves]");
  bind_column(rows, "policy", &R::policy, {&R::rows, &R::move_count},
              "float32 [n, moves]: rows sum to 1, or to 0 without a policy target.");
  bind_column(rows, "policy_weight", &R::policy_weight, {&R::rows},
              "float32 [n]: 0 without a policy target.");
  bind_column(rows, "reply", &R::reply, {&R::rows, &R::move_count},
              "float32 [n, moves]: the next position's policy.");
  bind_column(rows, "reply_weight", &R::reply_weight, {&R::rows}, "float32 [n]");
  bind_column(rows, "result", &R::result, {&R::rows}, "float32 [n]: 1 won, .5 drawn, 0 lost.");
  bind_column(rows, "score", &R::score, {&R::rows}, "float32 [n], points");
  bind_column(rows, "ownership", &R::ownership, {&R::rows, &R::cells},
              "int8 [n, height * width]: 1 own at the end, -1 the opponent's, 0 nobody's.");
  bind_column(rows, "exact", &R::exact, {&R::rows},
              "uint8 [n]: 1 for result and score of best play.");
  bind_column(rows, "game", &R::game, {&R::rows}, "int32 [n]: its number");
  bind_column(rows, "ply", &R::ply, {&R::rows}, "int16 [n]: moves played before, random ones too.");
}

template <typename G>
int select(SelfPlay<G>& play, int slot, Planes spatial, Matrix global, int rows) {
  check_slot(slot);
  check_inputs(play.start(), rows, spatial, global);
  nb::gil_scoped_release unlocked;
  return play.select(slot, spatial.data(), global.data(), rows);
}

template <typename G>
void update(SelfPlay<G>& play, int slot, Matrix policy, Matrix value, Matrix misc, Matrix owners) {
  check_slot(slot);
  check_outputs(play.start(), play.rows_of(slot), policy, value, misc, owners);
  nb::gil_scoped_release unlocked;
  play.update(slot, policy.data(), value.data(), misc.data(), owners.data());
}

template <typename G>
void bind_games(nb::module_& m, const char* name) {
  using P = SelfPlay<G>;
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<P>(m, name, "Self-play games side by side. One thread at a time.")
      .def(
          "__init__",
          [](P* self, const G& start, const SearchSettings& search, const SelfPlaySettings& play,
             const NetworkScales& scales, int games, int at_once, int first_game, uint64_t seed) {
            new (self) P(start, search, play, scales, {games, at_once, first_game}, seed);
          },
          "start"_a, "search"_a, "play"_a, "scales"_a, nb::kw_only(), "games"_a, "at_once"_a,
          "first_game"_a = 0, "seed"_a,
          "Games first_game..first_game + games - 1, at_once of them side by side. A game depends\n"
          "on the network, the settings, the seed and its number alone.")
      .def("select", &select<G>, "slot"_a, "spatial"_a, "globals"_a, "rows"_a,
           "Fills at most `rows` rows for the network; 0 if no game is ready.")
      .def("update", &update<G>, "slot"_a, "policy"_a, "value"_a, "misc"_a, "ownership"_a,
           "The network's raw outputs for the rows of the slot.")
      .def(
          "abandon",
          [](P& play, int slot) {
            check_slot(slot);
            play.abandon(slot);
          },
          "slot"_a, "Gives the rows of the slot back without an evaluation.")
      .def("take", &P::take, Unlocked(), "Rows of the games finished since the last call.")
      .def_prop_ro("over", &P::over)
      .def_prop_ro("finished", &P::finished, "Games.")
      .def_prop_ro("positions", &P::positions, "Rows of the finished games, taken or not.");
}

}  // namespace

void bind_self_play(nb::module_& m) {
  bind_settings(m);
  bind_rows(m);
  bind_games<OthelloPosition>(m, "OthelloSelfPlay");
  bind_games<Connect4Position>(m, "Connect4SelfPlay");
  bind_games<GoPosition>(m, "GoSelfPlay");
  bind_games<DarkChessPosition>(m, "DarkChessSelfPlay");
}

}  // namespace sparring
