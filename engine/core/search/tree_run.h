// Runs of playouts on the core's own network: selection, evaluation and backup, in the order of a
// caller of tree.h with the same slots.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <vector>

#include "network/cpu_slot.h"
#include "search/node_graph.h"
#include "search/tree.h"

namespace sparring {

// The slots of one search, idle at first; they take turns as one client. One thread at a time.
class Flights {
 public:
  explicit Flights(std::vector<CpuSlot*> slots)
      : slots_(std::move(slots)), rows_(slots_.size(), 0) {
    for (CpuSlot* slot : slots_) slot->turn = slots_.front()->turn;
    reset();
  }
  // Makes all slots idle. None may be in evaluation.
  void reset() {
    waiting.clear();
    idle.clear();
    for (std::size_t number = 0; number < slots_.size(); ++number)
      idle.push_back(static_cast<int>(number));
  }
  CpuSlot& slot(int number) { return *slots_[number]; }
  void start(int number, int rows) {
    slot(number).start(rows);
    rows_[number] = rows;
    waiting.push_back(number);
  }
  int rows(int number) const { return rows_[number]; }
  // Counts a finished batch.
  void count(int number, double seconds) {
    const int rows = rows_[number];
    if (static_cast<int>(batches.size()) <= rows) batches.resize(rows + 1, 0);
    ++batches[rows];
    wait_seconds += seconds;
  }

  std::deque<int> waiting;  // slots in evaluation, the oldest first
  std::vector<int> idle;
  std::vector<std::int64_t> batches;  // finished ones since the caller cleared them, by their rows
  double wait_seconds = 0;            // of the caller for these

 private:
  std::vector<CpuSlot*> slots_;
  std::vector<int> rows_;
};

struct RunLimits {
  bool launches;          // whether playouts may begin; else those under way end
  std::int64_t visits;    // of the root
  std::int64_t playouts;  // since Tree::begin()
  std::int64_t nodes;     // of all trees; beyond them each tree may have its equal share
  double seconds;         // after these the run pauses, with playouts under way
};

// The playouts that may still begin. The root must be evaluated for a report.
template <Game G>
std::int64_t playouts_left(Tree<G>& tree, const RunLimits& limits) {
  const LiveNodes live = live_nodes();
  const bool may_grow = live.nodes < limits.nodes || tree.nodes() * live.graphs < limits.nodes;
  const std::int64_t left = std::min<std::int64_t>(limits.visits - tree.root()->stats.visits,
                                                   limits.playouts - tree.playouts());
  return std::max<std::int64_t>(may_grow ? left - tree.in_flight() : 0,
                                tree.root()->evaluation ? 0 : 1);
}

// Fills idle slots with leaves and starts them.
template <Game G>
void launch(Tree<G>& tree, Flights& flights, const RunLimits& limits) {
  while (!flights.idle.empty()) {
    const std::int64_t left = playouts_left(tree, limits);
    if (left <= 0) return;
    const int number = flights.idle.front();
    CpuSlot& slot = flights.slot(number);
    const int rows = tree.select(number, slot.spatial, slot.globals, slot.batch.rows, left);
    if (rows == 0) return;
    std::fill_n(slot.optimism, rows, static_cast<float>(tree.optimism(number)));
    flights.idle.erase(flights.idle.begin());
    flights.start(number, rows);
  }
}

// Waits for the oldest started slot and passes its outputs to the tree. After an error the slot is
// still the oldest one.
template <Game G>
void land(Tree<G>& tree, Flights& flights) {
  using Clock = std::chrono::steady_clock;
  const int number = flights.waiting.front();
  CpuSlot& slot = flights.slot(number);
  const auto begun = Clock::now();
  slot.wait();
  flights.count(number, std::chrono::duration<double>(Clock::now() - begun).count());
  tree.update(number, slot.batch.policy, slot.batch.value, slot.batch.misc, slot.batch.ownership);
  flights.waiting.pop_front();
  flights.idle.push_back(number);
}

// Runs playouts until no slot is in evaluation, or until the time is over; returns the number of
// finished batches. Throws the errors of the network and of Tree::update.
template <Game G>
std::int64_t run_playouts(Tree<G>& tree, Flights& flights, const RunLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(limits.seconds);
  for (std::int64_t landed = 0;; ++landed) {
    const bool is_proven = tree.root()->evaluation && tree.proven();
    if (limits.launches && !is_proven) launch(tree, flights, limits);
    if (flights.waiting.empty()) return landed;
    if (landed > 0 && limits.launches && Clock::now() >= end) return landed;
    land(tree, flights);
  }
}

}  // namespace sparring
