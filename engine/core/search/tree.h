// Monte-Carlo search over any Game: PUCT on a graph, leaves evaluated in batches by the caller.
//
//     while (...) {
//       rows = tree.select(slot, spatial, global, capacity, budget);   // fills rows, opens
//       playouts
//       ... the network evaluates them ...
//       tree.update(slot, outputs...);                                  // closes those playouts
//     }
//
// Several slots may be open at once. Not thread-safe: one caller at a time; it never blocks, prints
// or reads a clock. Values are Black's view, see tree_node.h.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "common/random.h"
#include "game/game.h"
#include "search/evaluation_cache.h"
#include "search/node_graph.h"
#include "search/search_traits.h"
#include "search/tree_proof.h"
#include "search/tree_root.h"
#include "search/tree_select.h"

namespace sparring {

template <Game G>
class Tree {
 public:
  using Traits = SearchTraits<G>;

  // `cache` may be null and must outlive the tree; `network_key` distinguishes networks in it.
  // Trees of one thread may share a score bounder.
  Tree(const G& game, const SearchSettings& settings, const NetworkScales& scales,
       EvaluationCache* cache, uint64_t network_key, uint64_t seed,
       std::shared_ptr<typename Traits::ScoreBounder> score_bounder = nullptr)
      : settings_(settings),
        scales_(scales),
        cache_(cache),
        network_key_(network_key),
        random_(seed),
        seed_(seed),
        game_(Traits::searched(game)),
        score_bounder_(score_bounder ? std::move(score_bounder)
                                     : std::make_shared<typename Traits::ScoreBounder>()) {
    policy_key_ = policy_key();
    set_symmetry_tables();
    reset();
  }

  const SearchSettings& settings() const { return settings_; }
  // Clears the tree: values under other settings would mislead.
  void set_settings(const SearchSettings& settings) {
    settings_ = settings;
    policy_key_ = policy_key();
    reset();
  }
  // Changes the exploration of the root from now on; the tree stays.
  void set_root_exploration(bool noise, double forced_playouts) {
    settings_.root_noise = noise;
    settings_.root_forced_playouts = forced_playouts;
    root_ready_ = false;
  }
  void set_restriction(int color, std::vector<int> until) {
    restriction_.set(color, std::move(until));
    root_ready_ = false;
  }
  // Factors on the root's policy, [moves], 0 or more; empty: none. They hold until the root
  // changes; nothing below the root depends on them.
  void set_prior_weights(std::vector<float> weights) {
    prior_weights_ = std::move(weights);
    root_ready_ = false;
  }

  // Searches `game` from scratch. Pending playouts are discarded.
  void set_game(const G& game) {
    game_ = Traits::searched(game);
    prior_weights_.clear();
    set_symmetry_tables();
    reset();
  }
  // Searches `game`, reached by `move` from the present root, and keeps its subgraph.
  void advance(int move, const G& game);

  // Call at the start of each search: renews the values that depend on the root. At least
  // `least_in_flight` playouts may be pending at once, whatever the settings allow.
  void begin(int least_in_flight = 1);

  // Fills up to `capacity` rows with positions to evaluate and returns their number. Opens or
  // completes up to `budget` playouts; playouts without need of the network are completed at once.
  int select(int slot, uint8_t* spatial, float* global, int capacity, int64_t budget);
  // Completes the playouts of a slot: row-major raw outputs of its rows, in the order of select().
  // Throws std::runtime_error if an output is not finite: that row and those after it stay pending,
  // up to repeat() or abandon().
  void update(int slot, const float* policy, const float* value, const float* misc,
              const float* ownership);
  // Fills the pending rows of the slot once more, as select() did, and returns their number.
  int repeat(int slot, uint8_t* spatial, float* global);
  // Closes a slot whose rows could not be evaluated.
  void abandon(int slot);

  // Number of pending rows of the slot.
  int rows_of(int slot) { return batch_at(slot).used; }
  // Share of the optimistic policy in the priors of the slot's pending rows, 0..1; 0 for a network
  // without such a policy. A slot's rows are all the root's or all below it.
  double optimism(int slot) {
    const Batch& batch = batch_at(slot);
    return batch.used > 0 && batch.rows[0].path.empty() ? root_optimism() : optimism_below();
  }
  // The image of a move or a cell under a symmetry of the board.
  int symmetric_move(int move, int symmetry) const { return policy_index_[symmetry][move]; }
  int symmetric_cell(int cell, int symmetry) const {
    return Traits::symmetric_cell(game_, cell, symmetry);
  }

  Node* root() { return root_; }
  const G& game() const { return game_; }
  // View of an evaluated root; brought up to date before its first selection.
  const RootView& root_view() {
    if (!root_ready_ && root_->evaluation) prepare_root();
    return root_view_;
  }
  const UtilityScale& scale() const { return scale_; }
  // Tests whether the root's score and a move with this score are proven: the search is finished.
  bool proven() const { return proves() && root_->proven(); }
  int64_t nodes() const { return graph_.size(); }
  int64_t playouts() const { return playouts_; }  // completed since begin()
  int64_t in_flight() const { return in_flight_; }
  int64_t rows_evaluated() const { return rows_evaluated_; }  // by the network, in all
  int64_t cache_hits() const { return cache_hits_; }

 private:
  struct Step {
    Node* parent;
    int edge;
    Node* child;
    bool counted;
  };
  using Path = std::vector<Step>;
  struct Row {
    Node* node;
    Path path;
    int symmetry;
    uint64_t key;
    int to_move;
    bool no_result_possible;
    bool root_refresh;  // renews a root that already has visits
    std::vector<uint8_t> legal;
  };
  struct Batch {
    std::vector<Row> rows;
    int used = 0;
    std::vector<Path> collided;
    int collisions = 0;
  };
  enum class Descent { kRow, kDone, kCollision };

  // separates the hashes of such nodes
  static constexpr uint64_t kLookedPast = 0x5bd1e995a3c59ac3ULL;
  static constexpr uint64_t kSpecialRoot = 0x7f4a7c15f39cc060ULL;
  static constexpr uint64_t kUnturned = 0x2545f4914f6cdd1dULL;  // separates such evaluations
  // Separates evaluations with a cut history. Those of one position share a key, whatever the depth
  // of their root (as in KataGo), so that the searches of a game's positions share them.
  static constexpr uint64_t kCutHistory = 0x9fb21c651e98df25ULL;

  void reset();
  void set_doublings();
  void set_symmetry_tables();
  Node* make_root();
  void prepare_root();
  void center_scores(double expected) {
    scale_ = {score_center(settings_, expected, game_.score_scale()), game_.score_scale()};
  }
  int allowed_in_flight() const;
  Batch& batch_at(int slot);
  Row& add_row(Batch& batch, const G& game, Node* node, int symmetry, const Path& path,
               uint8_t* spatial, float* global);
  void write_row(const Row& row, const G& game, int number, uint8_t* spatial, float* global) const;
  int select_root(Batch& batch, uint8_t* spatial, float* global, int capacity);
  Descent select_leaf(Batch& batch, uint8_t* spatial, float* global);
  bool select_child(G& game, Node*& node, Path& path, bool& done);
  Node* expand(G& game, Node& node, const Pick& pick);
  Node* expand_chance(const G& game, const Node& node, int move)
    requires ChanceGame<G>;
  void select_outcome(G& game, Node*& node, Path& path, bool& done)
    requires ChanceGame<G>;
  void enter(Node*& node, int edge, Path& path, bool counted, bool& done);
  void begin_child(const G& game, Node& child, bool forced_on);
  Node* child_after(int move) const;
  static int depth_of(const Path& path);
  void backup(const Path& path);
  void discard(const Path& path);
  static void discard_untaken_edges(Node& node);
  void discard_collisions(Batch& batch);
  void finish(Row& row, const Decoded& decoded);
  void finish_root(const Row& row, const Decoded& decoded);
  double root_optimism() const { return scales_.optimistic ? settings_.optimism_at_root() : 0.0; }
  double optimism_below() const { return scales_.optimistic ? settings_.policy_optimism : 0.0; }
  // Tests whether the root's evaluation differs from that of a node below it.
  bool root_differs() const {
    return settings_.root_symmetries > 1 || root_optimism() != optimism_below() ||
           settings_.ignore_pre_root_history;
  }
  uint64_t policy_key() const;
  bool proves() const { return Traits::kProves && settings_.proves; }
  void bound_score(const G& game, Node& node);
  void recompute_node(Node& node);
  void visit(Node& node);
  // Tests whether a visit ends at the node because its score is proven.
  bool is_settled(const Node& node) const { return proves() && node.proven() && &node != root_; }
  static bool has_legal_move(const Row& row) {
    return std::find(row.legal.begin(), row.legal.end(), 1) != row.legal.end();
  }

  SearchSettings settings_;
  NetworkScales scales_;
  EvaluationCache* cache_;
  uint64_t network_key_;
  float black_doublings_ = 0.0f;  // the playout doubling advantage, Black's view
  uint64_t doublings_key_ = 0;    // separates evaluations with different ones in the cache
  uint64_t policy_key_ = 0;       // separates evaluations with different priors in the cache
  Random random_;
  uint64_t seed_;
  G game_;
  NodeGraph graph_;
  Node* root_ = nullptr;
  RootView root_view_;
  UtilityScale scale_;
  Restriction restriction_;
  std::vector<float> prior_weights_;
  std::vector<std::unique_ptr<Batch>> batches_;
  Path path_;
  std::vector<int16_t> policy_index_[8];
  std::vector<int16_t> cell_index_[8];
  std::unique_ptr<Decoded> decoded_ = std::make_unique<Decoded>();
  std::unique_ptr<Decoded> root_sum_ = std::make_unique<Decoded>();
  int owned_cells_ = 0;  // cells with ownership; 0 in a game without
  std::shared_ptr<typename Traits::ScoreBounder> score_bounder_;
  int root_rows_left_ = 0;
  int root_rows_ = 0;
  bool root_ready_ = false;    // root_view_ is up to date
  bool root_refined_ = false;  // the root's evaluation has its symmetries and its optimism
  int64_t playouts_ = 0;
  int64_t in_flight_ = 0;
  int least_in_flight_ = 1;
  int64_t rows_evaluated_ = 0;
  int64_t cache_hits_ = 0;
};

template <Game G>
void Tree<G>::reset() {
  batches_.clear();
  graph_.clear();
  in_flight_ = 0;
  root_rows_left_ = 0;
  root_ = make_root();
}

// Assigns the playout doubling advantage to its player. Evaluations with another one are useless;
// the tree is then cleared, as in KataGo.
template <Game G>
void Tree<G>::set_doublings() {
  const int named = settings_.playout_doubling_color;
  const int color = named == 0 || named == 1 ? named : game_.to_move();
  const auto advantage = static_cast<float>(settings_.playout_doubling_advantage);
  const float doublings = color == 0 ? advantage : -advantage;
  if (doublings == black_doublings_) return;
  black_doublings_ = doublings;
  doublings_key_ = doublings == 0 ? 0 : mix64(std::bit_cast<std::uint32_t>(doublings));
  reset();
}

// A key of the blend and the temperature of the policy below the root; 0 for the plain policy.
template <Game G>
uint64_t Tree<G>::policy_key() const {
  const double optimism = optimism_below(), temperature = settings_.policy_temperature;
  return (optimism == 0 ? 0 : mix64(std::bit_cast<uint64_t>(optimism))) ^
         (temperature == 1 ? 0 : mix64(~std::bit_cast<uint64_t>(temperature)));
}

template <Game G>
Node* Tree<G>::make_root() {
  root_ready_ = false;
  root_refined_ = false;
  // The root is searched even if the game is over; no playout may meet its node.
  return graph_.find_or_add(game_.graph_hash() ^ kSpecialRoot, game_.to_move());
}

template <Game G>
void Tree<G>::set_symmetry_tables() {
  owned_cells_ = G::kHasOwnership ? game_.width() * game_.height() : 0;
  for (int symmetry = 0; symmetry < game_.symmetry_count(); ++symmetry) {
    policy_index_[symmetry].resize(game_.move_count());
    cell_index_[symmetry].resize(owned_cells_);
    for (int move = 0; move < game_.move_count(); ++move)
      policy_index_[symmetry][move] =
          static_cast<int16_t>(Traits::symmetric_move(game_, move, symmetry));
    for (int cell = 0; cell < owned_cells_; ++cell)
      cell_index_[symmetry][cell] = static_cast<int16_t>(symmetric_cell(cell, symmetry));
  }
}

template <Game G>
void Tree<G>::advance(int move, const G& game) {
  for (std::size_t slot = 0; slot < batches_.size(); ++slot) abandon(static_cast<int>(slot));
  Node* kept = child_after(move);
  if (kept && (kept->terminal || !kept->evaluation)) kept = nullptr;
  const bool special = Traits::root_is_special(Traits::searched(game), settings_.conservative_pass);
  game_ = Traits::searched(game);
  prior_weights_.clear();
  if (!kept || special || kept->to_move != game_.to_move()) {
    reset();
    return;
  }
  root_ = kept;
  root_ready_ = false;
  root_refined_ = false;
  graph_.keep_reachable(root_, settings_);
}

// The node after a played move at the root; null for none.
template <Game G>
Node* Tree<G>::child_after(int move) const {
  const auto child = [](const Node& node, int of_move) -> Node* {
    for (const Edge& edge : node.edges)
      if (edge.move == of_move && edge.child) return edge.child;
    return nullptr;
  };
  if constexpr (ChanceGame<G>) {
    Node* chosen = child(*root_, game_.move_without_outcome(move));
    return chosen && chosen->chance ? child(*chosen, move) : chosen;
  } else {
    return child(*root_, move);
  }
}

template <Game G>
void Tree<G>::begin(int least_in_flight) {
  playouts_ = 0;
  least_in_flight_ = least_in_flight;
  set_doublings();
  if (root_->evaluation && root_->stats.visits > 0) {
    center_scores(root_->stats.score_mean);
    graph_.for_each_from(root_, [this](Node& node) {
      if (!node.chance && (node.edges.empty() || !node.evaluation || node.proven()))
        rescale_leaf(node, settings_, scale_);
      else
        recompute_node(node);
    });
    root_ready_ = false;
  }
}

template <Game G>
void Tree<G>::prepare_root() {
  const int moves = game_.move_count();
  RootInputs inputs;
  inputs.evaluation = &*root_->evaluation;
  inputs.symmetries = 1;
  if (settings_.root_symmetry_pruning && !restriction_.active(root_->to_move))
    for (int s = 1; s < game_.symmetry_count(); ++s)
      if (Traits::is_symmetric(game_, s)) inputs.symmetries |= 1u << s;
  inputs.symmetric_move = [this](int move, int symmetry) {
    return static_cast<int>(policy_index_[symmetry][move]);
  };
  inputs.allowed = [this](int move) { return !restriction_.forbids(root_->to_move, move, 0); };
  inputs.weights = &prior_weights_;
  root_view_ = make_root_view(inputs, settings_, random_);
  root_view_.bonus_points.assign(moves, 0.0f);
  if (settings_.root_ending_bonus_points != 0)
    Traits::ending_bonus(game_, *root_->evaluation, settings_.root_ending_bonus_points,
                         root_view_.bonus_points.data());
  root_ready_ = true;
}

}  // namespace sparring

#include "search/tree_chance.h"
#include "search/tree_playouts.h"
