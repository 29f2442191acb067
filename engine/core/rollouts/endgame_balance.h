// The end of a game kept even by one side: its win rate over all continuations.
//
// The other side is of one of four kinds, each with a probability. At its moves each kind has a
// move distribution of its own; at ours a mixture of two moves meets the target win rate exactly if
// one leads above and one below it, and else the nearest move is played.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "connect4/connect4.h"
#include "othello/othello.h"

namespace sparring {

// The first three kinds use the one-ply heuristic (one_ply_heuristic.h) inverted, not at all, or
// alone; the fourth sees the whole rest and plays for the best result against best play.
inline constexpr int kPlayerKinds = 4;
using KindShares = std::array<double, kPlayerKinds>;  // perverse, careless, greedy, strong

struct EndgameBalanceSettings {
  int side = 0;         // the balancing side
  double target = 0.5;  // its win rate; a draw is half a win
  KindShares kinds{};   // of the other side; their sum is 1
  double greed = 1.0;   // weight of the one-ply heuristic, in nats
  int most_nodes = 1;   // for each move, except those before a game's last one
};

// [moves] The side's win rate against each kind after each of these legal moves; empty for a move
// with too many nodes. Positions shared by several moves count once.
using MoveWinRates = std::vector<std::optional<KindShares>>;
MoveWinRates balanced_win_rates(const Connect4Position& position, const std::vector<int>& moves,
                                const EndgameBalanceSettings& settings);
MoveWinRates balanced_win_rates(const OthelloPosition& position, const std::vector<int>& moves,
                                const EndgameBalanceSettings& settings);

}  // namespace sparring
