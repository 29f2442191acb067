// A batch of quick Go games of one board size, advanced together, for training positions. The games
// vary in rules, komi, handicap, each side's strength, mistakes and stubborn play past the end. It
// knows no network: the caller evaluates the rows and passes the policies back.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/random.h"
#include "go/go.h"

namespace sparring {

class GoGameBatch {
 public:
  // Begins `games` games. The same seed and policies give the same games with any number of
  // threads. Throws std::invalid_argument on a size outside GoPosition's.
  GoGameBatch(int width, int height, int games, uint64_t seed, int threads);

  int width() const { return width_; }
  int height() const { return height_; }
  int games() const { return static_cast<int>(games_.size()); }
  int move_count() const { return width_ * height_ + 1; }
  int64_t finished() const;  // number of all games ended so far

  // Writes a row for each game: spatial [games, 22, H, W], globals [games, 19], legal
  // [games, H*W+1] (1 at the legal moves). Blocks until all threads are done.
  void fill(uint8_t* spatial, float* globals, uint8_t* legal) const;

  // Plays a move in each game. logits [games, H*W+1]: the network's policy for the rows of fill().
  // score_lead [games]: its lead in points for the side to move; a game may get an even komi by it.
  // A finished game is replaced by a new one.
  void advance(const float* logits, const float* score_lead);

  const GoPosition& position(int game) const { return games_[static_cast<size_t>(game)].position; }

 private:
  struct Player {
    double temperature;   // of the sampled policy
    double random_share;  // share of uniformly random moves
  };
  struct BatchGame {
    GoPosition position;
    Random random;
    std::array<Player, 2> players;
    double komi_error = 0;           // points away from even
    int moves_until_even_komi = -1;  // until an even komi is set; below 0 never
    bool stubborn = false;           // plays on instead of passing
    double early_pass_share = 0;     // share of passes regardless of the policy
    int moves_left = 0;              // until the game is cut off
    int64_t finished = 0;
  };

  void begin(BatchGame& game) const;
  void set_up(BatchGame& game, const GoRules& rules, float komi) const;
  std::vector<std::pair<int, int>> random_stones(Random& random) const;
  void step(BatchGame& game, const float* logits, float score_lead) const;
  int choose(BatchGame& game, const float* logits) const;
  void each_game(const std::function<void(size_t)>& work) const;

  int width_, height_, threads_;
  std::vector<BatchGame> games_;
};

}  // namespace sparring
