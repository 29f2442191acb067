// Othello without a network: positions judged by quick games to the end, in which both sides play
// Roxanne's policy (the best square by a fixed order, equals at random).
#pragma once

#include <cstdint>
#include <vector>

#include "rollouts/light_row.h"

namespace sparring {

class OthelloPlayouts {
 public:
  static constexpr int kPlanes = 5;

  // `playouts` games a row. The same row and seed give the same outputs.
  OthelloPlayouts(int size, int playouts, std::uint64_t seed)
      : size_(size), playouts_(playouts), seed_(seed) {}

  int size() const { return size_; }
  int area() const { return size_ * size_; }
  int moves() const { return area() + 1; }

  void evaluate(const LightRow& row) const;

 private:
  template <int N>
  void evaluate_on(const LightRow& row) const;

  int size_;
  int playouts_;
  std::uint64_t seed_;
};

}  // namespace sparring
