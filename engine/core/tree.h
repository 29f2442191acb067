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
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "evaluation_cache.h"
#include "game.h"
#include "node_graph.h"
#include "random.h"
#include "search_traits.h"
#include "tree_proof.h"
#include "tree_root.h"
#include "tree_select.h"

namespace sparring {

template <Game G>
class Tree {
 public:
  using Traits = SearchTraits<G>;

  // `cache` may be null and must outlive the tree; `network_key` tells networks apart in it.
  Tree(const G& game, const SearchSettings& settings, const NetworkScales& scales,
       EvaluationCache* cache, uint64_t network_key, uint64_t seed)
      : settings_(settings),
        scales_(scales),
        cache_(cache),
        network_key_(network_key),
        random_(seed),
        seed_(seed),
        game_(Traits::searched(game)) {
    set_symmetry_tables();
    reset();
  }

  const SearchSettings& settings() const { return settings_; }
  // Forgets the tree: what was learned under other settings would mislead.
  void set_settings(const SearchSettings& settings) {
    settings_ = settings;
    reset();
  }
  void set_restriction(int color, std::vector<int> until) {
    restriction_.set(color, std::move(until));
    root_ready_ = false;
  }

  // Searches `game` from now on, knowing nothing of it. Playouts under way are dropped.
  void set_game(const G& game) {
    game_ = Traits::searched(game);
    set_symmetry_tables();
    reset();
  }
  // Searches `game`, to which `move` led from the present root, keeping what is known of it.
  void advance(int move, const G& game);

  // Call at the start of each search: renews what depends on the root as it is known now.
  void begin();

  // Fills up to `capacity` rows with positions to evaluate and returns their number. Opens or
  // completes up to `budget` playouts; those that need no network are completed on the way.
  int select(int slot, uint8_t* spatial, float* global, int capacity, int64_t budget);
  // Completes the playouts of a slot: row-major raw outputs of its rows, as select() ordered them.
  // Throws std::runtime_error if an output is not finite; the slot is then closed as by abandon().
  void update(int slot, const float* policy, const float* value, const float* misc,
              const float* ownership);
  // Closes a slot whose rows could not be evaluated.
  void abandon(int slot);

  // Rows that the slot waits for.
  int rows_of(int slot) { return batch_at(slot).used; }
  // Where a move or a cell lands under a symmetry of the board.
  int symmetric_move(int move, int symmetry) const { return policy_index_[symmetry][move]; }
  int symmetric_cell(int cell, int symmetry) const {
    return Traits::symmetric_cell(game_, cell, symmetry);
  }

  Node* root() { return root_; }
  const G& game() const { return game_; }
  // Of an evaluated root; brought up to date where nothing was selected from it yet.
  const RootView& root_view() {
    if (!root_ready_ && root_->evaluation) prepare_root();
    return root_view_;
  }
  const UtilityScale& scale() const { return scale_; }
  // Whether the root's score and a move that reaches it are known: there is nothing left to search.
  bool proven() const { return Traits::kProves && root_->proven(); }
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

  static constexpr uint64_t kLookedPast = 0x5bd1e995a3c59ac3ULL;  // tells such nodes' hashes apart
  static constexpr uint64_t kSpecialRoot = 0x7f4a7c15f39cc060ULL;

  void reset();
  void set_symmetry_tables();
  Node* make_root();
  void prepare_root();
  void center_scores(double expected) {
    scale_ = {score_center(settings_, expected, game_.score_scale()), game_.score_scale()};
  }
  int allowed_in_flight() const;
  Batch& batch_at(int slot);
  Row& add_row(Batch& batch, const G& game, Node* node, int symmetry, const Path& path,
               uint8_t* spatial, float* global, bool at_root);
  int select_root(Batch& batch, uint8_t* spatial, float* global, int capacity);
  Descent descend(Batch& batch, uint8_t* spatial, float* global);
  bool step(G& game, Node*& node, Path& path, bool& done);
  Node* open_edge(G& game, Node& node, const Pick& pick);
  void close(const Path& path);
  void drop(const Path& path);
  void drop_collisions(Batch& batch);
  void finish(Row& row, const Decoded& decoded);
  void finish_root(const Row& row, const Decoded& decoded);
  void settle(const G& game, Node& node);
  void average(Node& node);
  void visit(Node& node);
  // Whether a visit ends at the node because its score is known.
  bool is_settled(const Node& node) const {
    return Traits::kProves && node.proven() && &node != root_;
  }
  static bool has_legal_move(const Row& row) {
    return std::find(row.legal.begin(), row.legal.end(), 1) != row.legal.end();
  }

  SearchSettings settings_;
  NetworkScales scales_;
  EvaluationCache* cache_;
  uint64_t network_key_;
  Random random_;
  uint64_t seed_;
  G game_;
  NodeGraph graph_;
  Node* root_ = nullptr;
  RootView root_view_;
  UtilityScale scale_;
  Restriction restriction_;
  std::vector<std::unique_ptr<Batch>> batches_;
  Path path_;
  std::vector<int16_t> policy_index_[8];
  std::vector<int16_t> cell_index_[8];
  std::unique_ptr<Decoded> decoded_ = std::make_unique<Decoded>();
  std::unique_ptr<Decoded> root_sum_ = std::make_unique<Decoded>();
  int owned_cells_ = 0;  // of the board, where the game has ownership
  [[no_unique_address]] typename Traits::Settler settler_;
  int root_rows_left_ = 0;
  int root_rows_ = 0;
  bool root_ready_ = false;    // root_view_ is up to date
  bool root_refined_ = false;  // the root's evaluation is averaged over settings_.root_symmetries
  int64_t playouts_ = 0;
  int64_t in_flight_ = 0;
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

template <Game G>
Node* Tree<G>::make_root() {
  root_ready_ = false;
  root_refined_ = false;
  // The root is searched on even if the game is over, so it is no node that a playout may meet.
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
  Node* kept = nullptr;
  for (const Edge& edge : root_->edges)
    if (edge.move == move && edge.child && !edge.child->terminal && edge.child->evaluation)
      kept = edge.child;
  const bool special = Traits::root_is_special(Traits::searched(game), settings_.conservative_pass);
  game_ = Traits::searched(game);
  if (!kept || special || kept->to_move != game_.to_move()) {
    reset();
    return;
  }
  root_ = kept;
  root_ready_ = false;
  root_refined_ = false;
  graph_.keep_reachable(root_, settings_);
}

template <Game G>
void Tree<G>::begin() {
  playouts_ = 0;
  if (root_->evaluation && root_->stats.visits > 0) {
    center_scores(root_->stats.score_mean);
    graph_.for_each_from(root_, [this](Node& node) {
      if (node.edges.empty() || !node.evaluation || node.proven())
        rescale_leaf(node, settings_, scale_);
      else
        average(node);
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
  root_view_ = make_root_view(inputs, settings_, random_);
  root_view_.bonus_points.assign(moves, 0.0f);
  if (settings_.root_ending_bonus_points != 0)
    Traits::ending_bonus(game_, *root_->evaluation, settings_.root_ending_bonus_points,
                         root_view_.bonus_points.data());
  root_ready_ = true;
}

template <Game G>
int Tree<G>::allowed_in_flight() const {
  const double visits = static_cast<double>(root_->stats.visits);
  const double allowed =
      settings_.in_flight_factor * std::pow(visits, settings_.in_flight_exponent);
  return allowed < 1 ? 1 : static_cast<int>(std::min(allowed, 1e6));
}

template <Game G>
typename Tree<G>::Batch& Tree<G>::batch_at(int slot) {
  while (static_cast<int>(batches_.size()) <= slot) batches_.push_back(std::make_unique<Batch>());
  return *batches_[slot];
}

template <Game G>
typename Tree<G>::Row& Tree<G>::add_row(Batch& batch, const G& game, Node* node, int symmetry,
                                        const Path& path, uint8_t* spatial, float* global,
                                        bool at_root) {
  if (batch.used == static_cast<int>(batch.rows.size())) batch.rows.emplace_back();
  Row& row = batch.rows[batch.used];
  const int cells = game.width() * game.height();
  uint8_t* planes = spatial + static_cast<std::size_t>(batch.used) * G::kPlanes * cells;
  float* globals = global + static_cast<std::size_t>(batch.used) * G::kGlobals;
  if (at_root)
    Traits::root_features(game, planes, globals, symmetry, settings_.conservative_pass);
  else
    game.features(planes, globals, symmetry);
  row.node = node;
  row.path = path;
  row.symmetry = symmetry;
  row.to_move = game.to_move();
  row.no_result_possible = Traits::no_result_possible(game);
  row.root_refresh = false;
  row.legal.resize(game.move_count());
  game.legal_mask(row.legal.data());
  batch.used += 1;
  return row;
}

template <Game G>
int Tree<G>::select_root(Batch& batch, uint8_t* spatial, float* global, int capacity) {
  const bool refresh = static_cast<bool>(root_->evaluation);
  const int symmetries = game_.symmetry_count();
  root_rows_ = std::clamp(settings_.root_symmetries, 1, std::min(symmetries, capacity));
  root_rows_left_ = root_rows_;
  // Different symmetries: a random start, then every one in turn.
  const int first = static_cast<int>(random_.next() % symmetries);
  for (int i = 0; i < root_rows_; ++i) {
    Row& row = add_row(batch, game_, root_, (first + i) % symmetries, {}, spatial, global, true);
    row.root_refresh = refresh;
    row.key = 0;
  }
  root_->pending = true;
  in_flight_ += refresh ? 0 : 1;
  return root_rows_;
}

template <Game G>
int Tree<G>::select(int slot, uint8_t* spatial, float* global, int capacity, int64_t budget) {
  Batch& batch = batch_at(slot);
  if (batch.used != 0) throw std::logic_error("select on a slot that awaits its update");
  if (budget <= 0 || capacity <= 0) return 0;
  if (!root_->evaluation || (!root_refined_ && settings_.root_symmetries > 1)) {
    if (!root_->pending) return select_root(batch, spatial, global, capacity);
    if (!root_->evaluation) return 0;
  }
  if (!root_ready_) prepare_root();
  constexpr int64_t kDoneAtOnce = 256;  // then the caller may look at its clock
  const int64_t most_done = std::min(budget, kDoneAtOnce);
  int64_t done = 0;
  while (batch.used < capacity && batch.used + done < budget && done < most_done &&
         in_flight_ < allowed_in_flight() && batch.collisions < capacity && !proven()) {
    if (descend(batch, spatial, global) == Descent::kDone) ++done;
  }
  if (batch.used == 0) drop_collisions(batch);  // no update will come for them
  return batch.used;
}

// One playout from the root: to a row for the network, or as far as needs none.
template <Game G>
typename Tree<G>::Descent Tree<G>::descend(Batch& batch, uint8_t* spatial, float* global) {
  G game = game_;
  Node* node = root_;
  path_.clear();
  bool done = false;
  while (true) {
    if (is_settled(*node)) {
      visit(*node);
      break;
    }
    if (node->terminal) {
      const Outcome outcome = game.outcome();
      Values values = terminal_values(outcome, settings_, scales_);
      add_leaf_visit(*node, settings_, scale_, values);
      break;
    }
    if (!node->evaluation) {
      if (node->pending) {
        batch.collided.resize(std::max<std::size_t>(batch.collided.size(), batch.collisions + 1));
        batch.collided[batch.collisions++] = path_;
        return Descent::kCollision;
      }
      const uint64_t key = mix64(game.network_hash() ^ network_key_);
      if (cache_) node->evaluation = cache_->find(key);
      if (!node->evaluation) {
        const int symmetry = static_cast<int>(mix64(key ^ seed_) % game.symmetry_count());
        add_row(batch, game, node, symmetry, path_, spatial, global, false).key = key;
        node->pending = true;
        in_flight_ += 1;
        return Descent::kRow;
      }
      ++cache_hits_;
      add_leaf_visit(*node, settings_, scale_, node->evaluation->values());
      break;
    }
    if (!step(game, node, path_, done)) {
      add_leaf_visit(*node, settings_, scale_, node->evaluation->values());
      break;
    }
    if (done) break;
  }
  close(path_);
  return Descent::kDone;
}

// Takes one edge. Returns false where the node has no move to take. Sets `done` when the playout
// ends with the edge: it only catches up with visits that a transposition already made, or meets
// itself.
template <Game G>
bool Tree<G>::step(G& game, Node*& node, Path& path, bool& done) {
  PickContext context{
      node == root_ ? &root_view_ : nullptr, &restriction_,   static_cast<int>(path.size()),
      Traits::must_consider(game),           Traits::kProves, &random_};
  while (true) {
    const Pick pick = pick_move(*node, settings_, scale_, context);
    if (pick.edge < 0) return false;
    if (!game.legal(pick.move)) {
      // Reached by another path than the one its moves were found legal on: superko, or two
      // positions under one hash.
      if (pick.edge == static_cast<int>(node->edges.size()))
        node->edges.push_back({nullptr, -1.0f, static_cast<int16_t>(pick.move), 0});
      else
        node->edges[pick.edge].prior = -1.0f;
      continue;
    }
    Node* child;
    if (pick.edge == static_cast<int>(node->edges.size())) {
      child = open_edge(game, *node, pick);
    } else {
      child = node->edges[pick.edge].child;
      game.play(pick.move);
    }
    const Edge& edge = node->edges[pick.edge];
    const bool catches_up = pick.counted && edge.visits < child->stats.visits;
    const bool meets_itself = child == root_ || std::any_of(path.begin(), path.end(), [&](auto& s) {
                                return s.child == child;
                              });
    path.push_back({node, pick.edge, child, pick.counted});
    child->virtual_losses += 1;
    done = catches_up || meets_itself;
    node = child;
    return true;
  }
}

template <Game G>
Node* Tree<G>::open_edge(G& game, Node& node, const Pick& pick) {
  const bool looks_past =
      Traits::looks_past(game, pick.move, &node == root_ && settings_.conservative_pass);
  const uint64_t bias_key =
      settings_.subtree_value_bias_factor != 0 ? Traits::bias_key(game, pick.move) : 0;
  game.play(pick.move);
  const bool forced_on = game.is_over() && looks_past;
  uint64_t hash = settings_.use_graph_search ? game.graph_hash() : random_.next();
  if (forced_on) hash ^= kLookedPast;
  Node* child = graph_.find_or_add(hash, game.to_move());
  if (child->stats.visits == 0 && !child->pending) {
    child->terminal = game.is_over() && !forced_on;
    if constexpr (Traits::kProves) settle(game, *child);
  }
  if (bias_key != 0 && !child->bias && child->stats.visits == 0) graph_.join_bias(*child, bias_key);
  const float prior = std::max(0.0f, node.evaluation->prior(pick.move));
  node.edges.push_back({child, prior, static_cast<int16_t>(pick.move), 0});
  return child;
}

// Bounds the score of a node never visited.
template <Game G>
void Tree<G>::settle(const G& game, Node& node) {
  if (node.terminal) {
    const int score = static_cast<int>(game.outcome().black_score);
    narrow_bounds(node, {score, score});
  } else {
    const int most_empty =
        settings_.solve_empties < 0 ? Traits::kSolveEmpties : settings_.solve_empties;
    narrow_bounds(node, turned(settler_.settle(game, most_empty), node.to_move));
  }
}

// The node's averages and bounds by its edges.
template <Game G>
void Tree<G>::average(Node& node) {
  recompute(node, settings_, scale_);
  if constexpr (Traits::kProves) {
    back_up_bounds(node, &node == root_ ? mirrored_moves(root_view_) : 0);
    obey_bounds(node, settings_, scale_);
  }
}

// Counts a visit that ended below the node, or at it where its score is known.
template <Game G>
void Tree<G>::visit(Node& node) {
  if (is_settled(node)) {
    add_leaf_visit(node, settings_, scale_, proven_values(node, settings_, scales_));
    obey_bounds(node, settings_, scale_);  // free of the average's rounding
    return;
  }
  average(node);
  node.stats.visits += 1;
}

// Ends a playout: its nodes from the deepest up are visited once more.
template <Game G>
void Tree<G>::close(const Path& path) {
  bool counted = true;
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    step->child->virtual_losses -= 1;
    counted = counted && step->counted;
    if (!counted) continue;
    step->parent->edges[step->edge].visits += 1;
    visit(*step->parent);
  }
  playouts_ += counted;
}

// Forgets a playout.
template <Game G>
void Tree<G>::drop(const Path& path) {
  for (const Step& step : path) step.child->virtual_losses -= 1;
}

template <Game G>
void Tree<G>::drop_collisions(Batch& batch) {
  for (int i = 0; i < batch.collisions; ++i) drop(batch.collided[i]);
  batch.collisions = 0;
}

template <Game G>
void Tree<G>::update(int slot, const float* policy, const float* value, const float* misc,
                     const float* ownership) {
  Batch& batch = batch_at(slot);
  const int moves = game_.move_count();
  for (int i = 0; i < batch.used; ++i) {
    Row& row = batch.rows[i];
    const RawOutput raw{policy + static_cast<std::size_t>(i) * moves, value + i * 3, misc + i * 6,
                        ownership + static_cast<std::size_t>(i) * owned_cells_};
    const RowContext context{moves,
                             owned_cells_,
                             row.to_move,
                             row.no_result_possible,
                             row.legal.data(),
                             policy_index_[row.symmetry].data(),
                             cell_index_[row.symmetry].data()};
    if (!decode(raw, context, scales_, settings_.policy_temperature, *decoded_)) {
      abandon(slot);
      throw std::runtime_error("the network's output is not finite");
    }
    ++rows_evaluated_;
    if (row.node == root_ && row.path.empty())
      finish_root(row, *decoded_);
    else
      finish(row, *decoded_);
    row.node = nullptr;
  }
  drop_collisions(batch);
  batch.used = 0;
}

template <Game G>
void Tree<G>::finish(Row& row, const Decoded& decoded) {
  row.node->evaluation = EvaluationRef(Evaluation::make(decoded, game_.move_count(), owned_cells_));
  if (cache_) cache_->insert(row.key, row.node->evaluation);
  row.node->pending = false;
  in_flight_ -= 1;
  add_leaf_visit(*row.node, settings_, scale_, row.node->evaluation->values());
  close(row.path);
}

template <Game G>
void Tree<G>::finish_root(const Row& row, const Decoded& decoded) {
  const int moves = game_.move_count();
  add_decoded(decoded, moves, owned_cells_, root_rows_left_ == root_rows_, *root_sum_);
  if (--root_rows_left_ > 0) return;
  divide_decoded(root_rows_, moves, owned_cells_, *root_sum_);
  if (game_.is_over() && !has_legal_move(row))
    root_sum_->values = terminal_values(game_.outcome(), settings_, scales_);
  root_->evaluation = EvaluationRef(Evaluation::make(*root_sum_, moves, owned_cells_));
  root_->pending = false;
  root_refined_ = true;
  root_ready_ = false;
  if (row.root_refresh) {
    average(*root_);
    return;
  }
  in_flight_ -= 1;
  center_scores(root_->evaluation->values().score_mean);
  add_leaf_visit(*root_, settings_, scale_, root_->evaluation->values());
  playouts_ += 1;
}

template <Game G>
void Tree<G>::abandon(int slot) {
  Batch& batch = batch_at(slot);
  bool root_dropped = false;
  for (int i = 0; i < batch.used; ++i) {
    Row& row = batch.rows[i];
    if (!row.node) continue;
    row.node->pending = false;
    if (row.path.empty()) {
      in_flight_ -= root_dropped || row.root_refresh ? 0 : 1;
      root_dropped = true;
      continue;
    }
    in_flight_ -= 1;
    drop(row.path);
  }
  drop_collisions(batch);
  batch.used = 0;
}

}  // namespace sparring
