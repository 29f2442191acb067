// EinStein wuerfelt nicht without a network: positions judged by playouts. Both sides draw their
// steps by their immediate effects (agents/einstein_steps.h), which are the policy too.
#pragma once

#include <cstdint>

#include "einstein/einstein.h"
#include "rollouts/row_view.h"

namespace sparring {

class EinsteinRollouts {
 public:
  static constexpr int kPlanes = EinsteinPosition::kPlanes, kGlobals = EinsteinPosition::kGlobals;

  // `rollouts` games a row. Equal rows and seeds give equal outputs.
  EinsteinRollouts(int rollouts, std::uint64_t seed) : rollouts_(rollouts), seed_(seed) {}

  int area() const { return EinsteinPosition::kCells; }
  int moves() const { return EinsteinPosition::kSteps + EinsteinPosition::kPlacings; }

  void evaluate(const RowView& row) const;

 private:
  int rollouts_;
  std::uint64_t seed_;
};

}  // namespace sparring
