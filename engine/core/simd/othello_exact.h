// The exact search of Othello endings, compiled once for each set of vector instructions. Its
// inputs are plain values: it allocates nothing and reads no clock.
#pragma once

#include <cstdint>

namespace sparring {

// Bits of a board up to 10x10, numbered as OthelloBoard<size> numbers squares: low 64, high 64.
struct OthelloSquares {
  uint64_t low = 0;
  uint64_t high = 0;
};

// The state of one search. Not shared between threads.
struct OthelloExactState {
  void* table = nullptr;  // aligned to 64; all zero, or left by searches of the same size
  uint64_t table_bytes = 0;
  uint8_t age = 0;       // of the search; entries of older ones are replaced first
  int64_t nodes = 0;     // positions entered; each search adds its own
  bool stopped = false;  // score and move are then the best known so far
  // Called at certain counts of nodes; returns the count of its next call, or the same number to
  // stop.
  int64_t (*look)(void* argument, int64_t nodes) = nullptr;
  void* look_argument = nullptr;
};

struct OthelloExactTask {
  OthelloSquares own, other;  // own is to move and has a move
  int alpha = 0;              // the score is exact between the two, else a bound on it
  int beta = 0;
  int move = -1;  // out: the square of a best move
};

// Scores are of the side to move: disc difference at the end, empty squares to the winner.
struct OthelloExact {
  const char* name;
  // By half the size of the board less 2: sizes 4, 6, 8, 10.
  int (*search[4])(OthelloExactState&, OthelloExactTask&);
};

extern const OthelloExact kBaseOthelloExact, kAvx2OthelloExact;

// The fastest of this process, or the named one. Throws std::invalid_argument if it is absent.
const OthelloExact& othello_exact(const char* name);

}  // namespace sparring
