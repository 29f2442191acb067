// The one-ply heuristic of a beginner: a value for each move by its immediate, visible effect,
// without a reply. In nats: a greedy player chooses a move of one more e times as often.
//
// Not finite (kNotConsidered) for moves outside random_move(): illegal moves, in Go own eyes, and a
// pass beside any other move.
#pragma once

#include <limits>

#include "connect4/connect4.h"
#include "darkchess/darkchess.h"
#include "einstein/einstein.h"
#include "go/go.h"
#include "othello/othello.h"

namespace sparring {

constexpr float kNotConsidered = -std::numeric_limits<float>::infinity();

// Each function fills move_count() numbers.
void uniform_heuristic(const Connect4Position& position, float* out);
void uniform_heuristic(const OthelloPosition& position, float* out);
void uniform_heuristic(const GoPosition& position, float* out);
void uniform_heuristic(const DarkChessPosition& position, float* out);
void uniform_heuristic(const EinsteinPosition& position, float* out);
// Fours first, the opponent's too, then threes with an open fourth cell; the middle counts more.
void one_ply_heuristic(const Connect4Position& position, float* out);
// Discs flipped, corners, edges.
void one_ply_heuristic(const OthelloPosition& position, float* out);
// Stones taken, saved or attacked, the neighbourhood of the last move; no self-atari, no first
// line.
void one_ply_heuristic(const GoPosition& position, float* out);
// Pieces captured, saved, given away or curbed, flips by their expected worth: the heuristic of
// DarkKnight's progressive bias.
void one_ply_heuristic(const DarkChessPosition& position, float* out);
// The worth of a step (agents/einstein_steps.h); placings are equal.
void one_ply_heuristic(const EinsteinPosition& position, float* out);

}  // namespace sparring
