// Threads that run a network on batches; each batch is split over the idle ones.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "network/cpu_network.h"

namespace sparring {

// Work of one caller; must outlive the waiting.
struct Ticket {
  int pending = 0;           // unfinished parts; guarded, like all members, by the workers' lock
  std::exception_ptr error;  // the error of one of them
  std::condition_variable done;  // per ticket: a shared one would wake every caller at each batch
};

class CpuWorkers {
 public:
  CpuWorkers(std::shared_ptr<const CpuNetwork> network, int threads);
  // Finishes the queue, then ends the threads.
  ~CpuWorkers();
  CpuWorkers(const CpuWorkers&) = delete;
  CpuWorkers& operator=(const CpuWorkers&) = delete;

  // Queues a batch and returns; its arrays must stay until `wait`. Thread-safe.
  void start(const Batch& batch, Ticket& ticket);
  // Blocks until every part of the ticket's batches is done, and throws the error of a part.
  // Thread-safe.
  void wait(Ticket& ticket);
  int threads() const { return static_cast<int>(threads_.size()); }
  const CpuNetwork& network() const { return *network_; }

 private:
  struct Part {
    Batch batch;
    Ticket* ticket;
  };
  void work();

  const std::shared_ptr<const CpuNetwork> network_;
  std::mutex lock_;
  std::condition_variable news_;
  std::deque<Part> queue_;
  int idle_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

// Rows [first, first + rows) of a batch.
Batch part_of(const Batch& batch, const CpuNetwork& network, int first, int rows);

}  // namespace sparring
