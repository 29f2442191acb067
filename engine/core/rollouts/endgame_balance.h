// The last moves of a game that one side keeps even: how often it wins, by all that can still come.
//
// The other side is of one of four kinds, and of each with some probability. At its moves each kind
// has its own chances of them; at ours the chance that is wanted is met by drawing between two
// moves wherever one leads above and one below it, and else is come as near to as can be.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "connect4/connect4.h"
#include "othello/othello.h"

namespace sparring {

// Who goes by the glance (one_ply_heuristic.h) the wrong way round, not at all, or by it alone; who
// sees all to the end and plays for the best result against best play.
inline constexpr int kPlayerKinds = 4;
using KindShares = std::array<double, kPlayerKinds>;  // perverse, careless, greedy, strong

struct EndgameBalanceSettings {
  int side = 0;         // who keeps the game even
  double wanted = 0.5;  // of its winning, a draw counting half
  KindShares kinds{};   // of the other side; their sum is 1
  double greed = 1.0;   // weight of the glance, in nats
  int most_nodes = 1;   // that are looked at for each move, those before a game's last one aside
};

// [moves] How often the side wins against each kind after each of these legal moves; nothing where
// that takes more nodes. What one move leads to is not looked at again for the others.
using MoveWinRates = std::vector<std::optional<KindShares>>;
MoveWinRates balanced_win_rates(const Connect4Position& position, const std::vector<int>& moves,
                                const EndgameBalanceSettings& settings);
MoveWinRates balanced_win_rates(const OthelloPosition& position, const std::vector<int>& moves,
                                const EndgameBalanceSettings& settings);

}  // namespace sparring
