// A position of a game of Go: board, rules, komi, and as much of the game's history as the rules,
// the network's features and the search need. Rules follow KataGo 1.17 (docs/rules.html there),
// including the encore of its territory rules. The list of all moves is in the game record.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/game.h"
#include "game/symmetry.h"
#include "go/go_board.h"
#include "go/go_rules.h"
#include "go/go_territory.h"

namespace sparring {

// One of the latest moves of the game; kNoPoint is a pass.
struct RecentMove {
  Point point = kNoPoint;
  std::int8_t color = 0;
};

struct GoArea;  // go_area.h

class GoPosition {
 public:
  static constexpr int kPlanes = 22, kGlobals = 19;
  static constexpr bool kHasOwnership = true;
  static constexpr int kRecentMoves = 5, kRecentBoards = 3;

  GoPosition(int width, int height, const GoRules& rules, float komi);

  // ---- The interface of game.h
  int width() const { return board().width(); }
  int height() const { return board().height(); }
  int move_count() const { return board().area() + 1; }
  int symmetry_count() const { return sparring::symmetry_count(width(), height()); }
  int to_move() const { return to_move_; }
  int color_at(int cell) const { return board().at(board().point_of(cell)) - 1; }
  bool is_over() const { return over_; }
  bool legal(int move) const { return legal(move, to_move_); }
  void legal_mask(std::uint8_t* out) const;  // move_count() bytes, 1 legal
  void play(int move) { play(move, to_move_); }
  // Covers stones, player, ko and superko bans, phase, passes, rules, komi and bonuses. After
  // passes and after a move in a small region, such that about 11 more moves could repeat the
  // position, it covers the path too: no such cycle closes in a search graph (KataGo,
  // docs/GraphSearch.md, note 4).
  std::uint64_t graph_hash() const;
  // The same without the path, but with the moves and boards used by the features.
  std::uint64_t network_hash() const;
  Outcome outcome() const;  // of a finished game
  void features(std::uint8_t* spatial, float* global, int symmetry) const;
  float score_scale() const;

  // ---- Setting up
  const GoRules& rules() const { return rules_; }
  float komi() const { return komi_; }
  void set_komi(float komi) { komi_ = komi; }
  // Replaces the stones by (color, move)s, Black to move, and clears the history. Returns false,
  // with nothing changed, on a point named twice, a point off the board or a chain without
  // liberties.
  bool setup(const std::vector<std::pair<int, int>>& stones);
  // If color was not to move, clears the history and all bans, like KataGo. The score stays, with
  // moves, prisoners, handicap and button.
  void set_to_move(int color);
  // Whether two passes end the game under territory scoring, instead of starting the encore. A
  // search clears it on its own copy, as it must play on to score dead stones.
  bool prevent_encore = true;
  // Computes pass-alive areas as if suicide were legal, like the training of some networks (stated
  // in the header of KataGo's models from version 15 on).
  bool pass_alive_under_suicide = false;
  // The values of the board's points; other than 1 each only in training games of a style.
  TerritoryWeights weights;

  // ---- Playing
  int pass_move() const { return board().area(); }
  int move_number() const { return move_number_; }
  // A move out of turn is legal if the rules would allow it with that color to move.
  bool legal(int move, int color) const;
  // Like legal(), but without the bans on retaking a ko and on suicide of several stones, like
  // KataGo's play commands and records.
  bool legal_tolerant(int move, int color) const;
  // Plays a move allowed by legal() or legal_tolerant(). A finished game goes on. Out of turn,
  // set_to_move() is called first.
  void play(int move, int color);
  // Whether the move, in the encore, only lifts a block on retaking a ko.
  bool is_pass_for_ko(Point p, int color) const;

  // ---- Score
  // Ends the game and counts it; all stones outside the opponent's pass-alive territory are alive.
  void end_and_score();
  int winner() const;  // of a finished game: 0, 1, or -1 drawn or without result
  bool no_result() const { return no_result_; }
  // Black's score with komi and bonuses, by the count of end_and_score(); in a finished game its
  // result.
  float black_score() const;
  // The points counted for each color by black_score(), and the number of taxed groups.
  GoArea area() const;
  // White's points beside the board: komi, handicap, button, and moves under territory scoring.
  float white_bonus() const { return komi_ + white_bonus_ + handicap_bonus_; }
  float self_komi(int color) const { return color == 1 ? white_bonus() : -white_bonus(); }
  float handicap_bonus() const { return handicap_bonus_; }
  int handicap_stones() const;

  // ---- For the features
  const GoBoard& board() const { return board_; }
  // The board so many plies ago, 0..2; the oldest known if the history is shorter.
  BoardSnapshot board_before(int plies_ago) const {
    return plies_ago == 0 ? board_.snapshot() : past_boards_[plies_ago - 1];
  }
  // The latest move is 0, the one before it 1, up to 4; only the first recent_turns() are valid.
  const RecentMove& recent_move(int plies_ago) const { return recent_[plies_ago]; }
  // The number of latest moves within the current phase, 0..5; passes at the end of a phase cut the
  // earlier ones off, as in KataGo (numApproxValidTurnsThisPhase).
  int recent_turns() const { return recent_turns_; }
  // Whether two passes ended normal play and the encore was prevented.
  bool past_normal_end() const { return past_normal_end_; }
  int phase() const { return phase_; }  // 0, or encore 1 or 2 of territory scoring
  int consecutive_passes() const { return consecutive_passes_; }
  bool button_left() const { return button_left_; }
  bool pass_would_end_phase() const;
  bool pass_would_end_game() const;
  // Whether a search of one may continue as a search of the other.
  bool is_same(const GoPosition& other) const {
    return graph_hash() == other.graph_hash() && to_move_ == other.to_move_ &&
           move_number_ == other.move_number_ && komi_ == other.komi_ && rules_ == other.rules_ &&
           weights == other.weights;
  }
  // Whether a pass would end the game only as the second one. A friendly opponent may not mean it,
  // so the search asks for a third.
  bool pass_end_is_only_friendly() const;
  // Points forbidden to the player to move as they would repeat a position (not the simple ko
  // point); in the encore, points of kos already taken from this same position.
  PointSet superko_banned() const;
  const PointSet& recapture_blocked() const { return recapture_blocked_; }  // encore only
  // The stone at this point at the start of encore 2; kEmpty before encore 2.
  Stone second_encore_start(Point p) const {
    return second_encore_start_[0].contains(p)   ? kBlack
           : second_encore_start_[1].contains(p) ? kWhite
                                                 : kEmpty;
  }
  bool suicide_for_pass_alive() const { return rules_.suicide || pass_alive_under_suicide; }

 private:
  struct EncoreCapture {
    std::uint64_t hash_before;
    Point point;
    std::int8_t color;
  };

  // A Bloom filter over ko_hashes_: false means a hash never occurred.
  class HashSieve {
   public:
    void clear() { words_ = {}; }
    void add(std::uint64_t hash) { words_[word(hash)] |= bit(hash); }
    bool may_contain(std::uint64_t hash) const { return words_[word(hash)] & bit(hash); }

   private:
    static constexpr std::size_t word(std::uint64_t hash) { return hash >> 6 & 63; }
    static constexpr std::uint64_t bit(std::uint64_t hash) {
      return std::uint64_t{1} << (hash & 63);
    }
    std::array<std::uint64_t, 64> words_{};
  };

  void start();  // resets history and bonuses to a new game from the current board
  void forget_history();
  void reopen();
  bool is_playable_but_for_superko(Point p, int color) const;
  bool legal_point(Point p, int color) const;
  bool is_superko_banned(Point p, int color) const;
  Point blocked_recapture(Point p, int color) const;

  // Whether passes lift ko bans; a second pass of a color in a position then ends the phase.
  bool repeats_by_pass() const;
  bool pass_repeats(int color) const;
  std::uint64_t ko_hash(int color) const;
  void remember_ko_hash(std::uint64_t hash);
  void forget_ko_hashes();
  int occurrences(std::uint64_t ko_hash) const;
  std::uint64_t state_hash() const;

  bool pass_before_board_changes(int color);
  void absorb_encore_ko(Point p, int color, std::uint64_t hash_before);
  void count_bonuses(int color, bool pass, bool stone_played);
  void remember_move(RecentMove move);
  void end_phase();
  void enter_encore();
  float handicap_points() const;

  GoRules rules_;
  float komi_;
  float white_bonus_ = 0.0f;  // button, and one point a move under territory scoring
  float handicap_bonus_ = 0.0f;
  float final_black_score_ = 0.0f;
  std::int32_t move_number_ = 0;
  std::int16_t setup_handicap_ = 0;       // Black stones of a setup without White ones
  std::int16_t opening_black_moves_ = 0;  // before White's first move, passes not counted
  std::int8_t to_move_ = 0;
  std::int8_t phase_ = 0;
  std::int8_t consecutive_passes_ = 0;
  std::int8_t recent_turns_ = 0;
  bool button_left_ = false;
  bool white_has_moved_ = false;
  bool opening_is_setup_ = false;  // White moved twice in a row: Black's moves were no handicap
  bool past_normal_end_ = false;
  bool over_ = false;
  bool no_result_ = false;
  std::uint64_t path_hash_ = 0;  // of the moves so far; 0 if irrelevant, see graph_hash()
  std::array<RecentMove, kRecentMoves> recent_{};
  GoBoard board_;
  std::array<BoardSnapshot, kRecentBoards - 1> past_boards_;  // the latest first
  PointSet ever_occupied_;
  PointSet recapture_blocked_;
  HashSieve sieve_;
  std::vector<std::uint64_t> ko_hashes_;    // of the positions not to be repeated
  std::vector<std::uint64_t> pass_hashes_;  // of the positions before passes
  std::vector<EncoreCapture> encore_captures_;
  std::array<PointSet, 2> second_encore_start_;  // stones by color
};

static_assert(Game<GoPosition>);

}  // namespace sparring
