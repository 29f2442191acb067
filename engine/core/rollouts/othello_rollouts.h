// Othello without a network: positions judged by rollouts of Roxanne's policy on both sides (the
// best square by a fixed order, equals at random).
#pragma once

#include <cstdint>
#include <vector>

#include "rollouts/row_view.h"

namespace sparring {

class OthelloRollouts {
 public:
  static constexpr int kPlanes = 5, kGlobals = 3;

  // `rollouts` games a row. Equal rows and seeds give equal outputs.
  OthelloRollouts(int size, int rollouts, std::uint64_t seed)
      : size_(size), rollouts_(rollouts), seed_(seed) {}

  int size() const { return size_; }
  int area() const { return size_ * size_; }
  int moves() const { return area() + 1; }

  void evaluate(const RowView& row) const;

 private:
  template <int N>
  void evaluate_on(const RowView& row) const;

  int size_;
  int rollouts_;
  std::uint64_t seed_;
};

}  // namespace sparring
