// Games of weak players to the end: how a position stands between those who see little.
//
// Both sides go by the beginner's glance alone (one_ply_heuristic.h): a move is drawn by the
// softmax of `greed` times it, with no greed all that the glance looks at are as likely.
#pragma once

#include "common/random.h"
#include "connect4/connect4.h"
#include "go/go.h"
#include "othello/othello.h"

namespace sparring {

// The share of `games` that the side to move here wins, a draw being half of one. A game of Go that
// is not over after three times as many moves as the board has points counts as a draw.
double weak_wins(const Connect4Position& position, double greed, int games, Random& random);
double weak_wins(const OthelloPosition& position, double greed, int games, Random& random);
double weak_wins(const GoPosition& position, double greed, int games, Random& random);

}  // namespace sparring
