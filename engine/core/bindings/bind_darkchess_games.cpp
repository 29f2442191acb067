// The Python interface of games on the solved small boards of dark chess.
#include "bindings/bind_darkchess_games.h"

#include <nanobind/stl/unique_ptr.h>

#include "bindings/bind_darkchess_agents.h"
#include "bindings/bind_position.h"
#include "solvers/dark_chess_games.h"

namespace sparring {

namespace {

constexpr int kMostGames = 1'000'000, kMostQuiet = 1000, kMostPlies = 10, kMostSeeds = 1'000'000;

void bind_players(nb::module_& m) {
  nb::class_<DarkChessPlayer>(
      m, "DarkChessPlayer",
      "A player of games on a solved small board; not for several threads at once.")
      .def(
          "choose",
          [](DarkChessPlayer& self, const DarkChessPosition& position, std::uint64_t seed) {
            if (position.is_over()) refuse("the game is over: there is no move to choose");
            Random random(mix64(seed));
            const DarkChessAction action = self.choose(position.board(), random);
            return position.board().geometry->move_of(action.from, action.to);
          },
          "position"_a, "seed"_a, "A move; a flip without its outcome.");
  nb::class_<SearchPlayer, DarkChessPlayer>(
      m, "DarkChessSearchPlayer",
      "DarkKnight's search with one of a few seeds a board; its choices are kept.")
      .def(
          "__init__",
          [](SearchPlayer* self, const DarkKnightSettings& settings, const DarkChessPosition& start,
             int seeds, std::uint64_t first_seed) {
            check_search(settings, start);
            new (self) SearchPlayer(settings, start.rules().material,
                                    checked("seeds", seeds, 1, kMostSeeds), first_seed);
          },
          "settings"_a, "start"_a, "seeds"_a, "first_seed"_a)
      .def_prop_ro("searches", &SearchPlayer::searches, "Searches so far.");
  m.def("optimal_dark_chess_player", &optimal_player, "solution"_a, nb::keep_alive<0, 1>(),
        "OPT: any of the best actions, each with equal probability.");
  m.def("uniform_dark_chess_player", &uniform_player, "Any action, each with equal probability.");
  m.def(
      "minimax_dark_chess_player",
      [](int plies, const DarkChessPosition& start) {
        return minimax_player(checked("plies", plies, 1, kMostPlies), start.rules().material);
      },
      "plies"_a, "start"_a, "EMM: expectiminimax on weighted material.");
}

}  // namespace

void bind_darkchess_games(nb::module_& m) {
  bind_players(m);
  nb::class_<DarkChessSeries>(m, "DarkChessSeries",
                              "Results of a series for its first player: 1 won, 0 drawn, -1 lost.")
      .def_ro("wins", &DarkChessSeries::wins)
      .def_ro("losses", &DarkChessSeries::losses)
      .def_ro("draws", &DarkChessSeries::draws)
      .def_ro("luck", &DarkChessSeries::luck, "Sum of the luck of flips; its mean is 0.")
      .def_ro("luck_squares", &DarkChessSeries::luck_squares)
      .def_ro("luck_results", &DarkChessSeries::luck_results, "Sum of luck times result.");
  m.def(
      "play_dark_chess_series",
      [](const SolvedDarkChess& solution, DarkChessPlayer& player, DarkChessPlayer& other,
         int games, int quiet_limit, std::uint64_t seed, bool adjudicates) {
        if (checked("games", games, 0, kMostGames) % 2 != 0) refuse("games come in pairs");
        const DarkChessGameRules rules{
            .quiet_limit = checked("quiet_limit", quiet_limit, 1, kMostQuiet),
            .adjudicates = adjudicates};
        return play_dark_chess_series(solution, player, other, games, rules, seed);
      },
      "solution"_a, "player"_a, "other"_a, "games"_a, "quiet_limit"_a, "seed"_a,
      "adjudicates"_a = true, Unlocked(),
      "Plays games from the start; the players take the first move in turn. With `adjudicates` a\n"
      "position that OPT has won counts as its win.");
  m.def(
      "play_dark_chess_game",
      [](const DarkChessPosition& position, DarkChessPlayer& player, DarkChessPlayer& other,
         int quiet_limit, std::uint64_t seed) {
        Random random(mix64(seed));
        return play_dark_chess_game(position.board(), player, other,
                                    checked("quiet_limit", quiet_limit, 1, kMostQuiet), random);
      },
      "position"_a, "player"_a, "other"_a, "quiet_limit"_a, "seed"_a, Unlocked(),
      "Plays a board on, the first player to move. The result is 1, 0 or -1 for it.");
}

}  // namespace sparring
