// How a beginner's glance judges each move of a position: what it does at once, to the eye, with no
// reply thought of. In nats: a move of one more is chosen e times as often by who goes by it alone.
//
// Not finite (kNotLookedAt) for what random_move() never takes: illegal moves, in Go own eyes and a
// pass while there is anything else.
#pragma once

#include <limits>

#include "connect4/connect4.h"
#include "go/go.h"
#include "othello/othello.h"

namespace sparring {

constexpr float kNotLookedAt = -std::numeric_limits<float>::infinity();

// Each fills move_count() numbers.
// All that is looked at liked alike, 0.
void look_at_all(const Connect4Position& position, float* out);
void look_at_all(const OthelloPosition& position, float* out);
void look_at_all(const GoPosition& position, float* out);
// Fours first, the opponent's too, then threes that could become fours; the middle is liked.
void glance(const Connect4Position& position, float* out);
// Discs flipped, corners, edges.
void glance(const OthelloPosition& position, float* out);
// Stones taken, saved or attacked, the neighbourhood of the last move; no self-atari, no first
// line.
void glance(const GoPosition& position, float* out);

}  // namespace sparring
