// How a beginner's glance judges each move of a position: what it does at once, to the eye, with no
// reply thought of. In nats: a move of one more is chosen e times as often by who goes by it alone.
//
// Not finite (kNotConsidered) for what random_move() never takes: illegal moves, in Go own eyes and
// a pass while there is anything else.
#pragma once

#include <limits>

#include "connect4/connect4.h"
#include "go/go.h"
#include "othello/othello.h"

namespace sparring {

constexpr float kNotConsidered = -std::numeric_limits<float>::infinity();

// Each fills move_count() numbers.
// All that is looked at liked alike, 0.
void uniform_heuristic(const Connect4Position& position, float* out);
void uniform_heuristic(const OthelloPosition& position, float* out);
void uniform_heuristic(const GoPosition& position, float* out);
// Fours first, the opponent's too, then threes that could become fours; the middle is liked.
void one_ply_heuristic(const Connect4Position& position, float* out);
// Discs flipped, corners, edges.
void one_ply_heuristic(const OthelloPosition& position, float* out);
// Stones taken, saved or attacked, the neighbourhood of the last move; no self-atari, no first
// line.
void one_ply_heuristic(const GoPosition& position, float* out);

}  // namespace sparring
