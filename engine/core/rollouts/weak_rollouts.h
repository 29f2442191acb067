// Rollouts of weak players: the balance of a position between beginners.
//
// Both sides use the one-ply heuristic alone (one_ply_heuristic.h): a move is drawn by the softmax
// of `greed` times the heuristic; without greed all considered moves are equally likely.
#pragma once

#include "common/random.h"
#include "connect4/connect4.h"
#include "darkchess/darkchess.h"
#include "einstein/einstein.h"
#include "go/go.h"
#include "othello/othello.h"

namespace sparring {

// The share of `games` won by the side to move; a draw is half a win. A game of Go counts as a draw
// if it is not over after three times as many moves as the board has points.
double weak_wins(const Connect4Position& position, double greed, int games, Random& random);
double weak_wins(const OthelloPosition& position, double greed, int games, Random& random);
double weak_wins(const GoPosition& position, double greed, int games, Random& random);
double weak_wins(const DarkChessPosition& position, double greed, int games, Random& random);
double weak_wins(const EinsteinPosition& position, double greed, int games, Random& random);

}  // namespace sparring
