// Many games that play themselves side by side, one evaluation of each in a batch: positions to
// learn from. The caller evaluates the rows, as for a Tree, and takes the finished games.
//
//     while (!play.over()) {
//       rows = play.select(slot, spatial, global, capacity);
//       ... the network evaluates them ...
//       play.update(slot, outputs...);
//     }
//
// Each game has its own tree and its own chance, so that it is the same however rows are batched
// and games stand side by side. Not thread-safe; it never blocks, prints or reads a clock.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "selfplay/self_play_game.h"

namespace sparring {

template <Game G>
class SelfPlay {
 public:
  struct Span {
    int games;       // to play in all
    int at_once;     // side by side
    int first_game;  // they are numbered from here
  };

  // Throws std::invalid_argument on settings or spans that cannot be, or a start that is over.
  SelfPlay(const G& start, const SearchSettings& search, const SelfPlaySettings& play,
           const NetworkScales& scales, const Span& span, uint64_t seed);
  // Its games refer to it.
  SelfPlay(const SelfPlay&) = delete;
  SelfPlay& operator=(const SelfPlay&) = delete;

  const G& start() const { return rules_.start; }
  bool over() const { return finished_ == span_.games; }
  int finished() const { return finished_; }
  int64_t positions() const { return positions_; }  // rows of the finished games

  // Fills up to `capacity` rows with a position each of as many games that wait for nothing, and
  // returns their number; 0 where there is none now.
  int select(int slot, uint8_t* spatial, float* global, int capacity);
  // Row-major raw outputs of the slot's rows, as select() ordered them. Throws std::runtime_error
  // if an output is not finite; the slot is then closed as by abandon().
  void update(int slot, const float* policy, const float* value, const float* misc,
              const float* ownership);
  // Closes a slot whose rows could not be evaluated; its games ask for them again.
  void abandon(int slot) { close(slot); }
  int rows_of(int slot) { return static_cast<int>(slot_at(slot).size()); }

  // The rows of the games that finished since the last call.
  SelfPlayRows take();

 private:
  using Seat = std::unique_ptr<SelfPlayGame<G>>;

  // The slot's games wait for nothing any more.
  void close(int slot);
  std::vector<Seat>& slot_at(int slot) {
    if (static_cast<int>(slots_.size()) <= slot) slots_.resize(slot + 1);
    return slots_[slot];
  }

  SelfPlayRules<G> rules_;
  Span span_;
  int started_ = 0;
  int finished_ = 0;
  int64_t positions_ = 0;
  std::deque<Seat> ready_;                // wait for nothing
  std::vector<std::vector<Seat>> slots_;  // wait for an evaluation
  std::vector<GameRecord<G>> records_;    // not taken yet
};

}  // namespace sparring
