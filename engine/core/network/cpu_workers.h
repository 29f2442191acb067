// Threads that run a network on batches; each batch is split over those that are idle.
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
  int pending = 0;               // parts not done yet; guarded, as all of it, by the workers' lock
  std::exception_ptr error;      // what went wrong in one of them
  std::condition_variable done;  // of its own: with one for all, each batch would wake every caller
};

class CpuWorkers {
 public:
  CpuWorkers(std::shared_ptr<const CpuNetwork> network, int threads);
  // Finishes what is queued, then ends the threads.
  ~CpuWorkers();
  CpuWorkers(const CpuWorkers&) = delete;
  CpuWorkers& operator=(const CpuWorkers&) = delete;

  // Queues a batch and returns; its arrays must stay until `wait`. Any thread may.
  void start(const Batch& batch, Ticket& ticket);
  // Blocks until every part of the ticket's batches is done, and throws what went wrong. Any thread
  // may.
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
