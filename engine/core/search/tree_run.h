// Runs of playouts on the core's own network: selection, evaluation and backup, in the order of a
// caller of tree.h with the same slots.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "network/cpu_slot.h"
#include "search/node_graph.h"
#include "search/tree.h"

namespace sparring {

// The slots of one search, idle at first; they take turns as one client. One thread at a time.
class Flights {
 public:
  explicit Flights(std::vector<CpuSlot*> slots)
      : slots_(std::move(slots)), started_(slots_.size()) {
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
  // Starts a filled slot, at the workers or left to this thread.
  void start(int number, int rows, bool by_workers) {
    if (by_workers) slot(number).start(rows);
    started_[number] = {rows, by_workers ? Evaluation::kByWorkers : Evaluation::kLeft};
    waiting.push_back(number);
  }
  // Completes the evaluation of the oldest slot, and of all slots left to this thread if it is one
  // of them. Throws the errors of the network.
  void finish() {
    const int number = waiting.front();
    const Evaluation evaluation = started_[number].evaluation;
    if (evaluation == Evaluation::kByWorkers) await(number);
    if (evaluation == Evaluation::kLeft) evaluate_left();
  }
  ProcessorTurns& turns() { return slots_.front()->workers->turns(); }

  std::deque<int> waiting;  // started slots, the oldest first
  std::vector<int> idle;
  ProcessorTurns::Client client;
  // Since the caller cleared them:
  std::vector<std::int64_t> batches;  // finished ones, by their rows
  double wait_seconds = 0;            // of the caller, for the workers and for a core
  double workers_seconds = 0;         // the workers' processor time

 private:
  enum class Evaluation { kByWorkers, kLeft, kDone };
  struct Started {
    int rows = 0;
    Evaluation evaluation = Evaluation::kDone;
  };

  void await(int number) {
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    slot(number).wait();
    wait_seconds += std::chrono::duration<double>(Clock::now() - begun).count();
    workers_seconds += std::exchange(slot(number).ticket.seconds, 0.0);
    started_[number].evaluation = Evaluation::kDone;
    count(started_[number].rows);
  }
  // Evaluates the slots left to this thread as one batch.
  void evaluate_left() {
    std::vector<Batch> parts;
    std::vector<Started*> left;
    int rows = 0;
    for (const int number : waiting) {
      if (started_[number].evaluation != Evaluation::kLeft) continue;
      left.push_back(&started_[number]);
      parts.push_back(slot(number).batch);
      parts.back().rows = started_[number].rows;
      rows += started_[number].rows;
    }
    slots_.front()->workers->run_here(parts);
    for (Started* each : left) each->evaluation = Evaluation::kDone;
    count(rows);
  }
  void count(int rows) {
    if (static_cast<int>(batches.size()) <= rows) batches.resize(rows + 1, 0);
    ++batches[rows];
  }

  std::vector<CpuSlot*> slots_;
  std::vector<Started> started_;  // by slot
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

// Fills idle slots with leaves and starts them, at the workers or left to this thread.
template <Game G>
void launch(Tree<G>& tree, Flights& flights, const RunLimits& limits, bool by_workers) {
  while (!flights.idle.empty()) {
    const std::int64_t left = playouts_left(tree, limits);
    if (left <= 0) return;
    const int number = flights.idle.front();
    CpuSlot& slot = flights.slot(number);
    const int rows = tree.select(number, slot.spatial, slot.globals, slot.batch.rows, left);
    if (rows == 0) return;
    std::fill_n(slot.optimism, rows, static_cast<float>(tree.optimism(number)));
    flights.idle.erase(flights.idle.begin());
    flights.start(number, rows, by_workers);
  }
}

// Completes the oldest started slot and passes its outputs to the tree. After an error the slot is
// still the oldest one.
template <Game G>
void land(Tree<G>& tree, Flights& flights) {
  flights.finish();
  const int number = flights.waiting.front();
  CpuSlot& slot = flights.slot(number);
  tree.update(number, slot.batch.policy, slot.batch.value, slot.batch.misc, slot.batch.ownership);
  flights.waiting.pop_front();
  flights.idle.push_back(number);
}

constexpr double kTurnSeconds = 0.002;  // processor time of a turn that others wait for

// Runs playouts until no slot is in evaluation, or until the time is over; returns the number of
// finished batches. The order of selections and updates depends on the search alone: in a crowd the
// search evaluates its batches itself, several at once. Throws the errors of the network and of
// Tree::update.
template <Game G>
std::int64_t run_playouts(Tree<G>& tree, Flights& flights, const RunLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(limits.seconds);
  std::int64_t landed = 0;
  while (true) {
    const auto asked = Clock::now();
    const ProcessorTurn turn(flights.turns(), flights.client);
    flights.wait_seconds += std::chrono::duration<double>(Clock::now() - asked).count();
    do {
      const bool is_proven = tree.root()->evaluation && tree.proven();
      if (limits.launches && !is_proven) launch(tree, flights, limits, !turn.is_crowded());
      if (flights.waiting.empty()) return landed;
      if (landed > 0 && limits.launches && Clock::now() >= end) return landed;
      land(tree, flights);
      ++landed;
    } while (!flights.turns().is_awaited() || turn.processor_seconds() < kTurnSeconds);
    if (limits.launches && Clock::now() >= end) return landed;
  }
}

}  // namespace sparring
