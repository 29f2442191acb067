// The turns of the searches of one process at the processor's cores.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>

namespace sparring {

// As many searches compute at once as there are cores; the others wait. They get equal shares of
// the processor by start-time fair queueing (Goyal, Vin and Cheng, 1996): the cost of a turn is its
// processor time.
class ProcessorTurns {
 public:
  // The turns of one search; guarded by the lock of the turns.
  struct Client {
    double finish = 0;   // virtual time at which its turns so far end
    double seconds = 0;  // processor time of its turns so far
    bool is_running = false;
    std::condition_variable started;
  };

  explicit ProcessorTurns(int cores) : cores_(cores) {}
  ProcessorTurns(const ProcessorTurns&) = delete;
  ProcessorTurns& operator=(const ProcessorTurns&) = delete;

  // Blocks until the client has a core. Returns whether searches use or await every core.
  // Thread-safe.
  bool begin(Client& client);
  // Ends the client's turn after so many processor seconds. Thread-safe.
  void end(Client& client, double seconds);
  // Tests whether a search waits for a core. Thread-safe.
  bool is_awaited() const { return waiting_.load(std::memory_order_relaxed) > 0; }
  int cores() const { return cores_; }

 private:
  void start(Client& client, double begin);

  const int cores_;
  std::mutex lock_;
  std::multimap<double, Client*> queue_;  // by the virtual time of a turn's start
  double now_ = 0;                        // virtual time: the latest start
  int running_ = 0;
  std::atomic<int> waiting_ = 0;  // clients of the queue
};

// A turn of one search, until the end of its scope.
class ProcessorTurn {
 public:
  ProcessorTurn(ProcessorTurns& turns, ProcessorTurns::Client& client);
  ~ProcessorTurn() { turns_.end(client_, processor_seconds()); }
  ProcessorTurn(const ProcessorTurn&) = delete;
  ProcessorTurn& operator=(const ProcessorTurn&) = delete;

  // Whether searches use or await every core.
  bool is_crowded() const { return is_crowded_; }
  // Processor time of this thread since the start of the turn.
  double processor_seconds() const;

 private:
  ProcessorTurns& turns_;
  ProcessorTurns::Client& client_;
  bool is_crowded_;
  double begun_;
};

// Processor time of the calling thread since its start.
double thread_seconds();

}  // namespace sparring
