// Threads that run a network on batches; each batch is split over the idle ones.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "network/cpu_network.h"
#include "network/joint_batch.h"
#include "network/processor_turns.h"

namespace sparring {

// The turns of one client, who may have several tickets; guarded by the workers' lock. Clients get
// equal shares of the workers by start-time fair queueing (Goyal, Vin and Cheng, 1996): a part's
// cost is its number of cells.
struct Turn {
  std::int64_t finish = 0;  // virtual time at which the client's queued parts end
};

// Work of one caller; must outlive the waiting.
struct Ticket {
  int pending = 0;           // unfinished parts; guarded, like all members, by the workers' lock
  double seconds = 0;        // processor time of the finished parts
  std::exception_ptr error;  // the error of one of them
  std::condition_variable done;  // per ticket: a shared one would wake every caller at each batch
};

class CpuWorkers {
 public:
  CpuWorkers(std::shared_ptr<const CpuNetwork> network, int threads,
             std::shared_ptr<ProcessorTurns> turns);
  // Finishes the queue, then ends the threads.
  ~CpuWorkers();
  CpuWorkers(const CpuWorkers&) = delete;
  CpuWorkers& operator=(const CpuWorkers&) = delete;

  // Queues a batch for the client's turns and returns; its arrays must stay until `wait`. The parts
  // of one client run in their order. Thread-safe.
  void start(const Batch& batch, Ticket& ticket, Turn& turn);
  // Blocks until every part of the ticket's batches is done, and throws the error of a part.
  // Thread-safe.
  void wait(Ticket& ticket);
  // Evaluates batches as one in the calling thread, at once. Thread-safe.
  void run_here(const std::vector<Batch>& parts);
  int threads() const { return static_cast<int>(threads_.size()); }
  const CpuNetwork& network() const { return *network_; }
  ProcessorTurns& turns() const { return *turns_; }

 private:
  struct Part {
    Batch batch;
    Ticket* ticket;
  };
  void work();

  const std::shared_ptr<const CpuNetwork> network_;
  const std::shared_ptr<ProcessorTurns> turns_;
  std::mutex lock_;
  std::condition_variable news_;
  std::multimap<std::int64_t, Part> queue_;  // by the virtual time of a part's start
  std::int64_t now_ = 0;                     // virtual time: the latest start
  int idle_ = 0;
  bool closing_ = false;
  std::vector<std::unique_ptr<JointBatch>> unused_;  // by callers of run_here
  std::vector<std::thread> threads_;
};

// Rows [first, first + rows) of a batch.
Batch part_of(const Batch& batch, const CpuNetwork& network, int first, int rows);

}  // namespace sparring
