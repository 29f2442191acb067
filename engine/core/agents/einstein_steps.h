// Steps of EinStein wuerfelt nicht by their immediate effects, for beginners and playouts.
#pragma once

#include "common/random.h"
#include "einstein/einstein.h"

namespace sparring {

// The worth of a legal step in nats: wins first, then progress towards the goal and captures of
// enemies by their progress. A captured piece of one's own costs a little.
float step_worth(const EinsteinPosition& position, int move);

// A legal step, drawn by the softmax of greed times the worths. The pieces are placed, and the game
// is not over.
int draw_step(const EinsteinPosition& position, double greed, Random& random);

// The played move of a legal move, its die drawn.
int with_die(const EinsteinPosition& position, int move, Random& random);

}  // namespace sparring
