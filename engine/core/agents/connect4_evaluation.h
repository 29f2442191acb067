// The evaluation of Connect4 by AlphaDDA's minimax opponents (Fujita 2022), for the searcher: R for
// each connection of two discs and R^2 for each of three, less the opponent's, R^3 for a won game.
// A connection is a maximal run: three discs in a row are one connection of three and none of two,
// as in the published code. It need not have room to grow.
#pragma once

#include <bit>

#include "agents/agent_state.h"

namespace sparring {

struct ConnectionEvaluation {
  static constexpr ConnectionEvaluation minimax1() { return {100}; }
  static constexpr ConnectionEvaluation minimax2() { return {2}; }

  int base;  // R

  int operator()(const Connect4State& state, bool own_turn) const {
    const Connect4Board& board = state.board();
    const int value = state.is_over() ? base * base * base * state.result()
                                      : connections(board.own, board.height) -
                                            connections(board.other(), board.height);
    return own_turn ? value : -value;
  }

  int connections(Connect4Board::Bits discs, int height) const {
    int sum = 0;
    for (const int step : {1, height, height + 1, height + 2}) {
      const auto starts = discs & ~(discs << step);
      const auto two = starts & discs >> step;
      const auto three = two & discs >> 2 * step;
      const auto four = three & discs >> 3 * step;
      sum += base * std::popcount(two & ~three) + base * base * std::popcount(three & ~four);
    }
    return sum;
  }
};

}  // namespace sparring
