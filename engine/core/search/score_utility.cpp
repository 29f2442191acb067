#include "search/score_utility.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sparring {

namespace {

// Both axes are squashed by t = x / (1 + x): the grid is fine near 0 and reaches infinity.
constexpr int kCells = 96;
constexpr double kLargest = 0.995;

double unsquash(double t) { return t / (1.0 - t); }
double squash(double x) { return x / (1.0 + x); }
// Position of a number of 0 or more on an axis, in cells; NaN is in the last one.
double cells_at(double x) {
  constexpr double kBeyond = 1000;  // of the grid
  return std::min(squash(x < kBeyond ? x : kBeyond), kLargest) / kLargest * kCells;
}

double expectation(double mean, double stdev) {
  constexpr double kTwoOverPi = 0.6366197723675814;
  constexpr int kSteps = 48;
  constexpr double kReach = 5.0;
  double sum = 0;
  double weights = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = kReach * (2.0 * i / kSteps - 1.0);
    const double weight = std::exp(-0.5 * z * z);
    sum += weight * std::atan(mean + stdev * z);
    weights += weight;
  }
  return kTwoOverPi * sum / weights;
}

class Table {
 public:
  Table() : values_((kCells + 1) * (kCells + 1)) {
    for (int m = 0; m <= kCells; ++m)
      for (int s = 0; s <= kCells; ++s)
        values_[m * (kCells + 1) + s] = static_cast<float>(
            expectation(unsquash(kLargest * m / kCells), unsquash(kLargest * s / kCells)));
  }

  double at(double mean, double stdev) const {
    const double m = cells_at(mean);
    const double s = cells_at(stdev);
    const int mi = std::min(static_cast<int>(m), kCells - 1);
    const int si = std::min(static_cast<int>(s), kCells - 1);
    const double mf = m - mi;
    const double sf = s - si;
    const float* row = &values_[mi * (kCells + 1) + si];
    const float* next = row + kCells + 1;
    return (1 - mf) * ((1 - sf) * row[0] + sf * row[1]) + mf * ((1 - sf) * next[0] + sf * next[1]);
  }

 private:
  std::vector<float> values_;
};

}  // namespace

double expected_score_value(double mean, double stdev, double center, double width) {
  static const Table table;
  const double offset = (mean - center) / width;
  const double value = table.at(std::fabs(offset), stdev / width);
  return offset < 0 ? -value : value;
}

double stdev_of(double mean, double mean_square) {
  return std::sqrt(std::max(0.0, mean_square - mean * mean));
}

}  // namespace sparring
