// The arrays of a slot in Python, evaluated by the core's workers.
#pragma once

#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "bindings/bind_rows.h"
#include "network/cpu_slot.h"
#include "search/tree_run.h"

namespace sparring {

using Shares = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct CpuRows {
  Planes spatial;
  Matrix globals, metadata;
  Shares optimism;
  Matrix policy, value, misc, ownership;
  CpuSlot slot;  // last: it goes before the arrays
};

// The slots of a search, and the arrays that they hold.
struct CpuFlights {
  std::vector<std::shared_ptr<CpuRows>> rows;
  Flights flights;
};

}  // namespace sparring
