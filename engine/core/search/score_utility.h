// The utility of an uncertain score: KataGo's score utility (KataGoMethods, "Score Maximization").
#pragma once

namespace sparring {

// The expectation of 2/pi * atan((score - center) / width) for a normally distributed score with
// this mean and standard deviation; in (-1, 1), rising with the mean. All in points, stdev 0 or
// more, width above 0.
double expected_score_value(double mean, double stdev, double center, double width);

// The standard deviation of a mean and a mean square; 0 if rounding made the variance negative.
double stdev_of(double mean, double mean_square);

}  // namespace sparring
