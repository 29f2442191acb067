// The spent part of a solver's limits. The only reader of a clock in the core, because a solver
// runs long without returning to its caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "solvers/solution.h"

namespace sparring {

class SolveBudget {
 public:
  // Starts anew; earlier stops are forgotten.
  void begin(const SolveLimits& limits) {
    limits_ = limits;
    started_ = Clock::now();
    nodes_ = 0;
    spent_ = false;
    stop_.store(false, std::memory_order_relaxed);
    plan_next_look();
  }
  // Lowers the limit of nodes to this total.
  void lower_nodes(int64_t most) {
    limits_.max_nodes = limits_.max_nodes > 0 ? std::min(limits_.max_nodes, most) : most;
    plan_next_look();
  }
  // Thread-safe.
  void stop() { stop_.store(true, std::memory_order_relaxed); }

  // Counts a position and returns whether to stop. Once true, it stays true.
  bool enter() {
    if (++nodes_ >= next_look_) look();
    return spent_;
  }
  // The same for a search with its own count of positions: returns the count at which to ask again,
  // or the same number to stop.
  int64_t look_at(int64_t nodes) {
    nodes_ = nodes;
    look();
    return spent_ ? nodes : next_look_;
  }
  bool spent() const { return spent_; }
  int64_t nodes() const { return nodes_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t kBetweenLooks = 4096;

  void look() {
    const std::chrono::duration<double> passed = Clock::now() - started_;
    spent_ = spent_ || stop_.load(std::memory_order_relaxed) ||
             (limits_.max_nodes > 0 && nodes_ >= limits_.max_nodes) ||
             (limits_.max_seconds > 0 && passed.count() >= limits_.max_seconds);
    plan_next_look();
  }
  void plan_next_look() {
    next_look_ = nodes_ + kBetweenLooks;
    if (limits_.max_nodes > nodes_) next_look_ = std::min(next_look_, limits_.max_nodes);
  }

  SolveLimits limits_;
  Clock::time_point started_;
  int64_t nodes_ = 0;
  int64_t next_look_ = kBetweenLooks;
  bool spent_ = false;
  std::atomic<bool> stop_ = false;
};

}  // namespace sparring
