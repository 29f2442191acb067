// How much of a solver's limits is used up. The one place of the core that reads a clock: a solver
// runs for long without coming back to its caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "solvers/solution.h"

namespace sparring {

class SolveBudget {
 public:
  // Begins anew, all stops before forgotten.
  void begin(const SolveLimits& limits) {
    limits_ = limits;
    started_ = Clock::now();
    nodes_ = 0;
    spent_ = false;
    stop_.store(false, std::memory_order_relaxed);
    plan_next_look();
  }
  // Gives up at so many nodes in all, if not before.
  void lower_nodes(int64_t most) {
    limits_.max_nodes = limits_.max_nodes > 0 ? std::min(limits_.max_nodes, most) : most;
    plan_next_look();
  }
  // Safe from any thread.
  void stop() { stop_.store(true, std::memory_order_relaxed); }

  // Counts a position and says whether to give up. Once it says so, it always does.
  bool enter() {
    if (++nodes_ >= next_look_) look();
    return spent_;
  }
  // The same for a search that counts by itself and stands at so many positions: at how many to ask
  // again, or the same number to give up.
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
