#include "go/go.h"

#include <algorithm>
#include <cmath>

namespace sparring {

namespace {

// graph_hash() separates the positions of cycles up to this many moves; KataGo's bound.
constexpr int kRepetitionBound = 11;
// A position with this many occurrences and no pass between ends the game without a result.
constexpr int kCycleOccurrences = 3;
constexpr int kManyPasses = 100;

std::uint64_t player_key(int color) {
  return hash_key(HashKind::player, static_cast<std::uint64_t>(color));
}

int other(int color) { return 1 - color; }

std::uint64_t mix(std::uint64_t hash) { return hash_key(HashKind::path, hash); }

}  // namespace

// ---- Setting up

GoPosition::GoPosition(int width, int height, const GoRules& rules, float komi)
    : rules_(rules), komi_(komi), board_(width, height) {
  start();
}

bool GoPosition::setup(const std::vector<std::pair<int, int>>& stones) {
  GoBoard fresh(width(), height());
  for (const auto& [color, move] : stones) {
    if (move < 0 || move >= fresh.area() || fresh.at(fresh.point_of(move)) != kEmpty) return false;
    fresh.set(fresh.point_of(move), stone_of(color));
  }
  if (fresh.has_dead_chain()) return false;
  board_ = fresh;
  to_move_ = 0;
  start();
  return true;
}

void GoPosition::start() {
  past_boards_.fill(board_.snapshot());
  move_number_ = 0;
  reopen();
  phase_ = 0;
  recent_ = {};
  second_encore_start_ = {};
  forget_history();

  const int black = board_.points(kBlack).size(), white = board_.points(kWhite).size();
  white_bonus_ = rules_.scoring == Scoring::territory ? static_cast<float>(black - white) : 0.0f;
  button_left_ = rules_.button;
  white_has_moved_ = opening_is_setup_ = false;
  opening_black_moves_ = 0;
  setup_handicap_ = static_cast<std::int16_t>(white == 0 ? black : -1);
  handicap_bonus_ = handicap_points();
}

// Like KataGo's setPlayerAndClearHistory(), except for the bonuses. KataGo counts the handicap anew
// by the stones on the board, as if they were a setup, and gives a taken button back.
void GoPosition::set_to_move(int color) {
  if (color == to_move_) return;
  to_move_ = static_cast<std::int8_t>(color);
  if (move_number_ == 0) return start();
  reopen();
  board_.clear_ko();
  forget_history();
}

// Clears passes, moves for the network and ko history, as if the game began with these stones.
void GoPosition::forget_history() {
  consecutive_passes_ = recent_turns_ = 0;
  path_hash_ = 0;
  recapture_blocked_.clear();
  pass_hashes_.clear();
  encore_captures_.clear();
  ever_occupied_ = board_.points(kBlack) | board_.points(kWhite);
  forget_ko_hashes();
  remember_ko_hash(ko_hash(to_move_));
}

// ---- Legality

bool GoPosition::legal(int move, int color) const {
  return move == pass_move() || legal_point(board_.point_of(move), color);
}

bool GoPosition::legal_tolerant(int move, int color) const {
  if (move == pass_move()) return true;
  const Point p = board_.point_of(move);
  return is_pass_for_ko(p, color) || board_.is_playable(p, stone_of(color), true);
}

void GoPosition::legal_mask(std::uint8_t* out) const {
  std::fill_n(out, move_count(), 0);
  const auto mark = [&](Point p) { out[board_.move_of(p)] = legal_point(p, to_move_); };
  board_.points(kEmpty).for_each(mark);
  recapture_blocked_.for_each(mark);
  out[pass_move()] = 1;
}

bool GoPosition::legal_point(Point p, int color) const {
  return is_pass_for_ko(p, color) ||
         (is_playable_but_for_superko(p, color) && !is_superko_banned(p, color));
}

bool GoPosition::is_playable_but_for_superko(Point p, int color) const {
  // A player filling its own ko out of turn retakes nothing.
  if (p == board_.ko_point() && color == to_move_) return false;
  return board_.is_playable(p, stone_of(color), rules_.suicide);
}

bool GoPosition::is_pass_for_ko(Point p, int color) const {
  const Point lifted = blocked_recapture(p, color);
  return lifted != kNoPoint && board_.chain_size(lifted) == 1 && board_.liberties(lifted) == 1;
}

// The blocked stone to be retaken by a move at p: the stone's own point or the ko's other point.
Point GoPosition::blocked_recapture(Point p, int color) const {
  if (phase_ == 0) return kNoPoint;
  const bool names_stone = board_.at(p) == opponent(stone_of(color));
  const Point taken = names_stone ? p : board_.ko_capture(p, stone_of(color));
  return taken != kNoPoint && recapture_blocked_.contains(taken) ? taken : kNoPoint;
}

bool GoPosition::is_superko_banned(Point p, int color) const {
  if (phase_ > 0)
    return std::any_of(encore_captures_.begin(), encore_captures_.end(), [&](const auto& taken) {
      return taken.point == p && taken.color == color && taken.hash_before == board_.hash();
    });
  if (rules_.ko == KoRule::simple || board_.at(p) != kEmpty) return false;
  // A stone on a point never occupied makes a new position, unless it is a suicide.
  const bool is_new = !ever_occupied_.contains(p);
  if (is_new && !(rules_.suicide && board_.is_suicide(p, stone_of(color)))) return false;
  if (!is_playable_but_for_superko(p, color)) return false;
  const std::uint64_t after = board_.hash_after(p, stone_of(color));
  return occurrences(rules_.ko == KoRule::situational ? after ^ player_key(other(color)) : after) >
         0;
}

PointSet GoPosition::superko_banned() const {
  PointSet banned;
  if (phase_ == 0 && rules_.ko == KoRule::simple) return banned;
  if (phase_ > 0) {
    for (const EncoreCapture& taken : encore_captures_)
      if (is_superko_banned(taken.point, to_move_)) banned.insert(taken.point);
    return banned;
  }
  const PointSet& empty = board_.points(kEmpty);
  PointSet candidates = empty & ever_occupied_;
  if (rules_.suicide) candidates = candidates | (empty - empty.neighbours(empty));
  candidates.for_each([&](Point p) {
    if (is_superko_banned(p, to_move_)) banned.insert(p);
  });
  return banned;
}

// ---- Ko history

bool GoPosition::repeats_by_pass() const { return phase_ > 0 || rules_.ko == KoRule::simple; }

// The hash of a position under the ko rule, with that color to move.
std::uint64_t GoPosition::ko_hash(int color) const {
  std::uint64_t hash = board_.hash();
  if (rules_.ko != KoRule::positional || phase_ > 0) hash ^= player_key(color);
  recapture_blocked_.for_each([&](Point p) { hash ^= hash_key(HashKind::recapture_block, p); });
  return hash;
}

void GoPosition::remember_ko_hash(std::uint64_t hash) {
  ko_hashes_.push_back(hash);
  sieve_.add(hash);
}

void GoPosition::forget_ko_hashes() {
  ko_hashes_.clear();
  sieve_.clear();
}

int GoPosition::occurrences(std::uint64_t hash) const {
  if (!sieve_.may_contain(hash)) return 0;
  return static_cast<int>(std::count(ko_hashes_.begin(), ko_hashes_.end(), hash));
}

bool GoPosition::pass_repeats(int color) const {
  return repeats_by_pass() &&
         std::find(pass_hashes_.begin(), pass_hashes_.end(), ko_hash(color)) != pass_hashes_.end();
}

bool GoPosition::pass_would_end_phase() const {
  return consecutive_passes_ >= 1 || pass_repeats(to_move_);
}

bool GoPosition::pass_would_end_game() const {
  return pass_would_end_phase() && (rules_.scoring == Scoring::area || phase_ == 2);
}

bool GoPosition::pass_end_is_only_friendly() const {
  return rules_.friendly_pass && rules_.scoring == Scoring::area && consecutive_passes_ == 1 &&
         !pass_repeats(to_move_);
}

// ---- Playing

void GoPosition::play(int move, int color) {
  set_to_move(color);
  reopen();
  const bool pass = move == pass_move();
  const Point p = pass ? kNoPoint : board_.point_of(move);
  const Point lifted = pass ? kNoPoint : blocked_recapture(p, color);
  const bool stone_played = !pass && lifted == kNoPoint;

  // While p is empty, the region around it bounds the chains and regions after the move.
  const bool open =
      stone_played && board_.repetition_needs_more_than(kRepetitionBound, p, stone_of(color));
  const std::uint64_t graph_hash_before = open ? 0 : graph_hash();
  const std::uint64_t hash_before = board_.hash();
  past_boards_ = {board_.snapshot(), past_boards_[0]};

  const bool repeated_pass = pass && pass_before_board_changes(color);
  if (!pass) consecutive_passes_ = 0;
  if (stone_played)
    board_.play(p, stone_of(color));
  else
    board_.clear_ko();
  const bool far_from_repeating =
      open ||
      (stone_played && board_.repetition_needs_more_than(kRepetitionBound, p, stone_of(color)));
  path_hash_ = far_from_repeating ? 0 : mix(graph_hash_before);
  if (lifted != kNoPoint) recapture_blocked_.erase(lifted);
  if (stone_played) {
    ever_occupied_.insert(p);
    if (phase_ > 0) absorb_encore_ko(p, color, hash_before);
  }
  count_bonuses(color, pass, stone_played);
  remember_move({p, static_cast<std::int8_t>(color)});
  to_move_ = static_cast<std::int8_t>(other(color));

  const std::uint64_t repeating = ko_hash(to_move_);
  const bool cycled = !pass && repeats_by_pass() && occurrences(repeating) + 1 >= kCycleOccurrences;
  remember_ko_hash(repeating);
  if (consecutive_passes_ >= 2 || repeated_pass) end_phase();
  if (cycled) over_ = no_result_ = true;
}

// Applies a pass to button, pass count and ko history. Returns whether that color had already
// passed in this position; such a pass ends the phase if passes lift ko bans.
bool GoPosition::pass_before_board_changes(int color) {
  if (button_left_) {
    button_left_ = false;
    white_bonus_ += color == 1 ? 0.5f : -0.5f;
    consecutive_passes_ = 0;
    pass_hashes_.clear();
    forget_ko_hashes();
    return false;
  }
  const bool repeated = pass_repeats(color);
  consecutive_passes_ = static_cast<std::int8_t>(std::min(consecutive_passes_ + 1, kManyPasses));
  if (repeats_by_pass()) {
    forget_ko_hashes();
    pass_hashes_.push_back(ko_hash(color));
  }
  return repeated;
}

// In the encore a ko may be retaken only after a pass for it, and only once in a position.
void GoPosition::absorb_encore_ko(Point p, int color, std::uint64_t hash_before) {
  if (board_.ko_point() != kNoPoint) {
    recapture_blocked_.insert(p);
    encore_captures_.push_back({hash_before, p, static_cast<std::int8_t>(color)});
    board_.clear_ko();
  }
  recapture_blocked_ = recapture_blocked_ - board_.points(kEmpty);
}

void GoPosition::count_bonuses(int color, bool pass, bool stone_played) {
  // One point a move: thereby a move in one's own territory costs nothing in the encore's count.
  if (rules_.scoring == Scoring::territory && phase_ <= 1 && stone_played)
    white_bonus_ += color == 0 ? 1.0f : -1.0f;

  // Black's moves before White's first are handicap, as in servers' records. White may pass between
  // them; two passes of White in a row mean a set-up position instead.
  const bool white_before = move_number_ > 0 && recent_[0].color == 1;
  if (color == 1 && !pass) white_has_moved_ = true;
  if (color == 1 && pass && white_before) opening_is_setup_ = true;
  if (color == 0 && !white_has_moved_) {
    if (!pass) ++opening_black_moves_;
    handicap_bonus_ = handicap_points();
  }
}

void GoPosition::remember_move(RecentMove move) {
  std::copy_backward(recent_.begin(), recent_.end() - 1, recent_.end());
  recent_[0] = move;
  recent_turns_ = static_cast<std::int8_t>(std::min(recent_turns_ + 1, kRecentMoves));
  ++move_number_;
}

void GoPosition::end_phase() {
  if (rules_.scoring == Scoring::area || phase_ == 2) {
    end_and_score();
  } else if (prevent_encore) {
    end_and_score();
    past_normal_end_ = true;
    recent_turns_ = std::min<std::int8_t>(recent_turns_, 1);
  } else {
    enter_encore();
  }
}

void GoPosition::enter_encore() {
  ++phase_;
  recent_turns_ = consecutive_passes_ = 0;
  if (phase_ == 2) second_encore_start_ = {board_.points(kBlack), board_.points(kWhite)};
  recapture_blocked_.clear();
  pass_hashes_.clear();
  encore_captures_.clear();
  forget_ko_hashes();
  remember_ko_hash(ko_hash(to_move_));
}

// Reopens a finished game for a move; the network sees only one of the earlier moves.
void GoPosition::reopen() {
  if (over_) recent_turns_ = std::min<std::int8_t>(recent_turns_, 1);
  over_ = no_result_ = past_normal_end_ = false;
  final_black_score_ = 0.0f;
}

// ---- Hashes

// The hash of the position without its path: stones, player, bans, phase, passes, rules and komi.
std::uint64_t GoPosition::state_hash() const {
  std::uint64_t hash = board_.hash() ^ player_key(to_move_);
  if (board_.ko_point() != kNoPoint) hash ^= hash_key(HashKind::ko, board_.ko_point());
  superko_banned().for_each([&](Point p) { hash ^= hash_key(HashKind::ko, p); });
  if (phase_ > 0) {
    hash ^= hash_key(HashKind::phase, phase_);
    recapture_blocked_.for_each([&](Point p) { hash ^= hash_key(HashKind::recapture_block, p); });
  }
  for (int color : {0, 1})
    second_encore_start_[color].for_each([&](Point p) {
      hash ^= hash_key(HashKind::second_encore, static_cast<std::uint64_t>(p * 2 + color));
    });

  std::uint64_t facts = 0;
  for (int fact :
       {static_cast<int>(rules_.ko), static_cast<int>(rules_.scoring), static_cast<int>(rules_.tax),
        static_cast<int>(rules_.suicide), static_cast<int>(rules_.friendly_pass),
        static_cast<int>(button_left_), static_cast<int>(suicide_for_pass_alive()),
        static_cast<int>(prevent_encore), static_cast<int>(pass_would_end_phase()),
        static_cast<int>(over_), static_cast<int>(no_result_), static_cast<int>(past_normal_end_),
        static_cast<int>(consecutive_passes_)})
    facts = facts << 2 | (fact & 3);
  hash ^= hash_key(HashKind::rules, facts);
  const float komi = std::round(self_komi(to_move_) * 256.0f);
  return hash ^
         hash_key(HashKind::komi, static_cast<std::uint64_t>(static_cast<std::int64_t>(komi)));
}

std::uint64_t GoPosition::graph_hash() const { return path_hash_ + state_hash(); }

std::uint64_t GoPosition::network_hash() const {
  std::uint64_t hash = state_hash();
  for (int i = 0; i < recent_turns_; ++i) {
    const auto index = static_cast<std::uint64_t>(recent_[i].point * 2 + recent_[i].color);
    hash += hash_key(HashKind::recent_move, index * kRecentMoves + i);
  }
  for (int i = 1; i < kRecentBoards && i <= recent_turns_; ++i)
    hash += mix(board_before(i).hash + i);
  return hash;
}

float GoPosition::score_scale() const { return std::sqrt(static_cast<float>(board_.area())); }

}  // namespace sparring
