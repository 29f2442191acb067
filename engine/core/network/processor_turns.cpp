#include "network/processor_turns.h"

#include <algorithm>
#include <ctime>

namespace sparring {

bool ProcessorTurns::begin(Client& client) {
  std::unique_lock guard(lock_);
  const double begin = std::max(now_, client.finish);
  if (running_ < cores_) {
    start(client, begin);
  } else {
    queue_.emplace(begin, &client);
    ++waiting_;
    client.started.wait(guard, [&] { return client.is_running; });
  }
  return running_ + static_cast<int>(queue_.size()) >= cores_;
}

void ProcessorTurns::end(Client& client, double seconds) {
  const std::lock_guard guard(lock_);
  client.finish += seconds;
  client.seconds += seconds;
  client.is_running = false;
  --running_;
  if (queue_.empty()) return;
  const auto next = queue_.begin();
  Client& started = *next->second;
  start(started, next->first);
  queue_.erase(next);
  --waiting_;
  started.started.notify_one();
}

void ProcessorTurns::start(Client& client, double begin) {
  now_ = std::max(now_, begin);
  client.finish = begin;
  client.is_running = true;
  ++running_;
}

ProcessorTurn::ProcessorTurn(ProcessorTurns& turns, ProcessorTurns::Client& client)
    : turns_(turns), client_(client), is_crowded_(turns.begin(client)), begun_(thread_seconds()) {}

double ProcessorTurn::processor_seconds() const { return thread_seconds() - begun_; }

double thread_seconds() {
  std::timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace sparring
