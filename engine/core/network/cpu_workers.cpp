#include "network/cpu_workers.h"

#include <algorithm>
#include <utility>

namespace sparring {

Batch part_of(const Batch& batch, const CpuNetwork& network, int first, int rows) {
  Batch part = batch;
  const auto row = static_cast<std::size_t>(first);
  const int area = batch.size.area();
  part.rows = rows;
  part.spatial += row * network.planes() * area;
  part.globals += row * network.global_count();
  part.metadata += row * network.metadata_count();
  part.optimism += row;
  part.dropout.seed += static_cast<std::uint32_t>(first);
  part.policy += row * network.move_count(batch.size);
  part.value += row * kValueOutputs;
  part.misc += row * kMiscOutputs;
  part.ownership += row * area;
  return part;
}

CpuWorkers::CpuWorkers(std::shared_ptr<const CpuNetwork> network, int threads,
                       std::shared_ptr<ProcessorTurns> turns)
    : network_(std::move(network)), turns_(std::move(turns)) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

CpuWorkers::~CpuWorkers() {
  {
    const std::lock_guard guard(lock_);
    closing_ = true;
  }
  news_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void CpuWorkers::start(const Batch& batch, Ticket& ticket, Turn& turn) {
  {
    const std::lock_guard guard(lock_);
    const int hands = std::max(1, idle_ - static_cast<int>(queue_.size()));
    const int share = (batch.rows + hands - 1) / hands;
    const int most = std::min(share, network_->group(batch.size));
    for (int first = 0; first < batch.rows; first += most) {
      const int rows = std::min(most, batch.rows - first);
      const std::int64_t begin = std::max(now_, turn.finish);
      turn.finish = begin + std::int64_t{rows} * batch.size.area();
      queue_.emplace(begin, Part{part_of(batch, *network_, first, rows), &ticket});
      ++ticket.pending;
    }
  }
  news_.notify_all();
}

void CpuWorkers::wait(Ticket& ticket) {
  std::unique_lock guard(lock_);
  ticket.done.wait(guard, [&] { return ticket.pending == 0; });
  if (ticket.error) std::rethrow_exception(std::exchange(ticket.error, nullptr));
}

void CpuWorkers::run_here(const std::vector<Batch>& parts) {
  std::unique_ptr<JointBatch> joint;
  {
    const std::lock_guard guard(lock_);
    if (!unused_.empty()) {
      joint = std::move(unused_.back());
      unused_.pop_back();
    }
  }
  if (!joint) joint = std::make_unique<JointBatch>();
  joint->run(*network_, parts);
  const std::lock_guard guard(lock_);
  unused_.push_back(std::move(joint));
}

void CpuWorkers::work() {
  CpuNetwork::Scratch scratch;
  std::unique_lock guard(lock_);
  while (true) {
    ++idle_;
    news_.wait(guard, [this] { return closing_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;
    const auto next = queue_.begin();
    now_ = std::max(now_, next->first);
    const Part part = next->second;
    queue_.erase(next);
    guard.unlock();
    std::exception_ptr error;
    const double begun = thread_seconds();
    try {
      network_->run(part.batch, scratch);
    } catch (...) {
      error = std::current_exception();
    }
    const double seconds = thread_seconds() - begun;
    guard.lock();
    part.ticket->seconds += seconds;
    if (error) part.ticket->error = error;
    // Under the lock: the caller may destroy the ticket as soon as it holds the lock.
    if (--part.ticket->pending == 0) part.ticket->done.notify_all();
  }
}

}  // namespace sparring
