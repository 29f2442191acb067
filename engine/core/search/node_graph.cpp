#include "search/node_graph.h"

#include <atomic>

#include "common/random.h"

namespace sparring {

namespace {

std::atomic<int64_t> all_nodes{0};
std::atomic<int64_t> all_graphs{0};

// Frees most of the buckets of a table that has shrunk to a small part of them.
template <typename Table>
void shrink(Table& table) {
  constexpr std::size_t kSparse = 8;
  if (table.bucket_count() > kSparse * (table.size() + 1)) table.rehash(0);
}

}  // namespace

LiveNodes live_nodes() { return {all_nodes.load(), all_graphs.load()}; }

NodeGraph::NodeGraph() { ++all_graphs; }

NodeGraph::~NodeGraph() {
  clear();
  --all_graphs;
}

Node* NodeGraph::find_or_add(uint64_t hash, int to_move) {
  while (true) {
    auto [place, added] = nodes_.try_emplace(hash);
    if (added) {
      place->second = std::make_unique<Node>();
      all_nodes.fetch_add(1, std::memory_order_relaxed);
      place->second->hash = hash;
      place->second->to_move = static_cast<int8_t>(to_move);
    }
    if (place->second->to_move == to_move) return place->second.get();
    hash = mix64(hash);  // two positions under one hash: separates them
  }
}

void NodeGraph::join_bias(Node& node, uint64_t key) {
  node.bias = &bias_[key];
  node.bias->users += 1;
}

void NodeGraph::keep_reachable(Node* root, const SearchSettings& settings) {
  for_each_from(root, [](Node&) {});
  const uint32_t kept = mark_;
  const int64_t before = size();
  for (auto place = nodes_.begin(); place != nodes_.end();) {
    Node& node = *place->second;
    if (node.mark == kept) {
      ++place;
      continue;
    }
    if (node.bias) {
      node.bias->delta_sum -= node.bias_delta * settings.subtree_value_bias_free_prop;
      node.bias->weight_sum -= node.bias_weight * settings.subtree_value_bias_free_prop;
      node.bias->users -= 1;
    }
    place = nodes_.erase(place);
  }
  all_nodes -= before - size();
  std::erase_if(bias_, [](const auto& item) { return item.second.users <= 0; });
  shrink(nodes_);
  shrink(bias_);
}

void NodeGraph::clear() {
  all_nodes -= size();
  // Frees the buckets too, which clear() would keep and set to zero each time.
  decltype(nodes_)().swap(nodes_);
  decltype(bias_)().swap(bias_);
}

}  // namespace sparring
