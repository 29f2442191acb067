// Many quick Go games of one board size, advanced together: positions to learn from. Knows how the
// games vary (rules, komi, handicap, how well each side plays, mistakes, stubborn play past the
// end) and knows no network: the caller evaluates the rows and gives the policies back.
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
  // `games` games on one size; the same seed gives the same games for the same policies, whatever
  // the number of threads. Throws std::invalid_argument on a size that GoPosition refuses.
  GoGameBatch(int width, int height, int games, uint64_t seed, int threads);

  int width() const { return width_; }
  int height() const { return height_; }
  int games() const { return static_cast<int>(games_.size()); }
  int move_count() const { return width_ * height_ + 1; }
  int64_t finished() const;  // games that have ended, all told

  // Writes a row for each game: spatial [games, 22, H, W], globals [games, 19], legal
  // [games, H*W+1] (1 where the side to move may play). Blocks until all threads are done.
  void fill(uint8_t* spatial, float* globals, uint8_t* legal) const;

  // Plays a move in each game. logits [games, H*W+1] are the network's policy for the rows of
  // fill(), score_lead [games] its lead in points for the side to move, by which a game may get the
  // komi that makes it even. A game that ends is replaced by a new one.
  void advance(const float* logits, const float* score_lead);

  const GoPosition& position(int game) const { return games_[static_cast<size_t>(game)].position; }

 private:
  struct Player {
    double temperature;   // of the policy it samples from
    double random_share;  // of its moves that are uniformly random
  };
  struct PoolGame {
    GoPosition position;
    Random random;
    std::array<Player, 2> players;
    double komi_error = 0;           // points away from even
    int moves_until_even_komi = -1;  // then the komi makes the game even; below 0 never
    bool stubborn = false;           // plays on where others pass
    double early_pass_share = 0;     // of moves that are passes, whatever the policy says
    int moves_left = 0;              // until the game is cut off
    int64_t finished = 0;
  };

  void begin(PoolGame& game) const;
  void set_up(PoolGame& game, const GoRules& rules, float komi) const;
  std::vector<std::pair<int, int>> random_stones(Random& random) const;
  void step(PoolGame& game, const float* logits, float score_lead) const;
  int choose(PoolGame& game, const float* logits) const;
  void each_game(const std::function<void(size_t)>& work) const;

  int width_, height_, threads_;
  std::vector<PoolGame> games_;
};

}  // namespace sparring
