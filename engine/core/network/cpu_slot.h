// The arrays of one batch with the workers that evaluate it.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>

#include "network/cpu_network.h"
#include "network/cpu_workers.h"

namespace sparring {

// The owner of the arrays keeps them until the slot is gone. One thread at a time.
struct CpuSlot {
  std::shared_ptr<CpuWorkers> workers;
  Batch batch;  // rows: as many as the arrays hold
  std::uint8_t* spatial;
  float *globals, *optimism;
  Ticket ticket;
  std::shared_ptr<Turn> turn = std::make_shared<Turn>();  // of the client; slots may share one

  CpuSlot(std::shared_ptr<CpuWorkers> by, const Batch& arrays, std::uint8_t* planes, float* rows,
          float* shares)
      : workers(std::move(by)), batch(arrays), spatial(planes), globals(rows), optimism(shares) {}
  CpuSlot(const CpuSlot&) = delete;
  CpuSlot& operator=(const CpuSlot&) = delete;
  // The arrays must stay while a worker writes to them.
  ~CpuSlot() {
    try {
      wait();
    } catch (const std::exception&) {
      // no caller is left
    }
  }

  // Queues the first `rows` rows, from 1 to batch.rows.
  void start(int rows, Dropout dropout = {}) {
    Batch started = batch;
    started.rows = rows;
    started.dropout = dropout;
    workers->start(started, ticket, *turn);
  }
  // Blocks until all started rows are done; throws their error.
  void wait() { workers->wait(ticket); }
};

}  // namespace sparring
