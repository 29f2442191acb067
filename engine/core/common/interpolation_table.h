// A function of one number as a table with linear interpolation. Beyond its ends it is constant;
// NaN has the first value.
#pragma once

#include <algorithm>
#include <vector>

namespace sparring {

class InterpolationTable {
 public:
  template <typename Function>
  InterpolationTable(float low, float high, int cells, Function function)
      : low_(low), per_unit_(static_cast<float>(cells) / (high - low)), last_(cells - 1) {
    for (int i = 0; i <= cells; ++i)
      values_.push_back(static_cast<float>(function(low + (high - low) * i / cells)));
  }

  float operator()(float x) const {
    // In this order of arguments NaN becomes 0.
    const float at =
        std::min(std::max(0.0f, (x - low_) * per_unit_), static_cast<float>(last_ + 1));
    const int cell = std::min(static_cast<int>(at), last_);
    const float part = at - static_cast<float>(cell);
    return values_[cell] + part * (values_[cell + 1] - values_[cell]);
  }

 private:
  float low_;
  float per_unit_;
  int last_;
  std::vector<float> values_;
};

}  // namespace sparring
