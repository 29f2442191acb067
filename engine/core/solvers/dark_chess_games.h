// Games between players on a solved small board of dark chess, with the luck of their flips.
//
// The luck of a flip is the value of its outcome less that of the flip, for the first player; its
// mean is 0: a result less any share of the luck of its game has the same mean, and may vary less.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "agents/dark_knight.h"
#include "solvers/solve_darkchess.h"

namespace sparring {

class DarkChessPlayer {
 public:
  virtual ~DarkChessPlayer() = default;
  // An action of the color to move, which has one.
  virtual DarkChessAction choose(const DarkChessBoard& board, Random& random) = 0;
  // Whether the player keeps all that it has won, so that its won games need no playing.
  virtual bool is_optimal() const { return false; }
};

// OPT: any of the best actions, each with equal probability. The solution must live as long.
std::unique_ptr<DarkChessPlayer> optimal_player(const SolvedDarkChess& solution);
// Any action, each with equal probability.
std::unique_ptr<DarkChessPlayer> uniform_player();
// Any of the best actions by expectiminimax of so many plies on weighted material.
std::unique_ptr<DarkChessPlayer> minimax_player(int plies, const KindCounts& material);

// DarkKnight's search. It begins at the board alone, without quiet moves, with one of a few seeds;
// its choices are kept for boards and seeds, symmetric boards and exchanged colors together.
class SearchPlayer : public DarkChessPlayer {
 public:
  SearchPlayer(const DarkKnightSettings& settings, const KindCounts& material, int seeds,
               std::uint64_t first_seed)
      : settings_(settings), material_(material), seeds_(seeds), first_seed_(first_seed) {}

  DarkChessAction choose(const DarkChessBoard& board, Random& random) override;
  std::int64_t searches() const { return searches_; }

 private:
  DarkKnightSettings settings_;
  KindCounts material_;
  int seeds_;
  std::uint64_t first_seed_;
  std::int64_t searches_ = 0;
  std::unordered_map<std::uint64_t, DarkChessAction> kept_;  // by board and seed
};

// The results of a series for its first player, 1 won, 0 drawn, -1 lost, and its luck.
struct DarkChessSeries {
  int wins = 0, losses = 0, draws = 0;
  double luck = 0.0, luck_squares = 0.0;  // sums
  double luck_results = 0.0;              // sum of the products of luck and result
};

struct DarkChessGameRules {
  int quiet_limit = 180;    // quiet moves that make a draw
  bool adjudicates = true;  // a position that an optimal player has won counts as its win
};

// Plays an even number of games from the start; the players take the first move in turn.
DarkChessSeries play_dark_chess_series(const SolvedDarkChess& solution, DarkChessPlayer& player,
                                       DarkChessPlayer& other, int games,
                                       const DarkChessGameRules& rules, std::uint64_t seed);

// The result of one game from a board between two players, the first of them to move: 1, 0 or -1
// for it.
int play_dark_chess_game(const DarkChessBoard& board, DarkChessPlayer& player,
                         DarkChessPlayer& other, int quiet_limit, Random& random);

}  // namespace sparring
