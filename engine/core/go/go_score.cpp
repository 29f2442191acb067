// Counting: GoPosition's owners of points, score and winner.
#include "go/go.h"
#include "go/go_area.h"

namespace sparring {

GoArea GoPosition::area() const {
  GoArea counted = scored_area(board(), rules_, suicide_for_pass_alive());
  if (rules_.scoring == Scoring::area) return counted;
  // Stones outside the areas count as territory if they are as old as the second encore; before the
  // encore all of them count, as it would begin with them.
  const PointSet owned = counted.owned[0] | counted.owned[1];
  for (int color : {0, 1}) {
    PointSet counting = board_.points(stone_of(color)) - owned;
    if (phase_ == 2) counting = counting & second_encore_start_[color];
    counted.owned[color] = counted.owned[color] | counting;
  }
  return counted;
}

float GoPosition::black_score() const {
  if (over_) return final_black_score_;
  const GoArea counted = area();
  float points = weighted_size(board(), counted.owned[0], weights) -
                 weighted_size(board(), counted.owned[1], weights);
  if (rules_.tax == Tax::all)
    points -=
        static_cast<float>(2 * (counted.independent_regions[0] - counted.independent_regions[1]));
  // An untaken button goes to the player to move.
  const float button = button_left_ ? (to_move_ == 0 ? 0.5f : -0.5f) : 0.0f;
  return points + button - white_bonus();
}

void GoPosition::end_and_score() {
  reopen();
  final_black_score_ = black_score();
  if (button_left_) {
    button_left_ = false;
    white_bonus_ += to_move_ == 1 ? 0.5f : -0.5f;
  }
  over_ = true;
}

int GoPosition::winner() const {
  if (!over_ || no_result_ || final_black_score_ == 0.0f) return -1;
  return final_black_score_ > 0.0f ? 0 : 1;
}

Outcome GoPosition::outcome() const {
  if (no_result_) return {.black_win = 0.5f, .no_result = 1.0f, .black_score = 0.0f};
  const int won_by = winner();
  return {.black_win = won_by < 0 ? 0.5f : static_cast<float>(1 - won_by),
          .no_result = 0.0f,
          .black_score = final_black_score_};
}

int GoPosition::handicap_stones() const {
  if (setup_handicap_ < 0) return 0;
  const int stones = setup_handicap_ + (opening_is_setup_ ? 0 : opening_black_moves_);
  return stones > 1 ? stones : 0;  // a single stone is an ordinary first move
}

float GoPosition::handicap_points() const {
  const int stones = handicap_stones();
  switch (rules_.white_handicap_bonus) {
    case HandicapBonus::stones:
      return static_cast<float>(stones);
    case HandicapBonus::stones_minus_one:
      return static_cast<float>(stones > 1 ? stones - 1 : 0);
    default:
      return 0.0f;
  }
}

}  // namespace sparring
