// The core's part in learning Othello's evaluation: its own games, and boards in pieces.
#include "bindings/bind_othello_samples.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <string>

#include "common/bounds.h"
#include "rollouts/othello_samples.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {
namespace {

using Boards = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T, size_t Dimensions>
nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>> new_array(
    const std::array<size_t, Dimensions>& shape) {
  size_t count = 1;
  for (const size_t length : shape) count *= length;
  auto* data = new T[count];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return {data, Dimensions, shape.data(), owner};
}

// Calls `use.operator()<N>()` for a size with an evaluation.
template <typename Use>
auto for_size(int size, const Use& use) {
  if (size == 6) return use.template operator()<6>();
  if (size == 8) return use.template operator()<8>();
  throw nb::value_error(("size must be 6 or 8, not " + std::to_string(size)).c_str());
}

template <int N>
nb::dict shape_of() {
  nb::dict shape;
  shape["stages"] = OthelloLinear<N>::kStages;
  shape["stage_discs"] = OthelloLinear<N>::kStageDiscs;
  shape["states"] = OthelloPatterns<N>::states();
  shape["counts"] = OthelloLinear<N>::kCounts;
  shape["pieces"] = OthelloPatterns<N>::kPieces;
  return shape;
}

nb::ndarray<nb::numpy, uint32_t, nb::ndim<1>> shared_states(int size) {
  return for_size(size, []<int N>() {
    const auto shared = OthelloPatterns<N>::shared_states();
    auto array = new_array<uint32_t, 1>({shared.size()});
    std::copy(shared.begin(), shared.end(), array.data());
    return array;
  });
}

nb::tuple pieces(int size, Boards own, Boards other) {
  if (own.shape(0) != other.shape(0)) throw nb::value_error("own and other differ in length");
  return for_size(size, [&]<int N>() {
    using Evaluation = OthelloLinear<N>;
    const size_t n = own.shape(0);
    auto states = new_array<uint32_t, 2>({n, OthelloPatterns<N>::kPieces});
    auto counts = new_array<float, 2>({n, Evaluation::kCounts});
    {
      nb::gil_scoped_release unlocked;
      typename OthelloPatterns<N>::Indices indices;
      for (size_t i = 0; i < n; ++i) {
        const OthelloBoard<N> board{own.data()[i], other.data()[i]};
        Evaluation::patterns().read(board.own, board.other, indices);
        std::copy(indices.begin(), indices.end(), states.data() + i * indices.size());
        const auto counted = Evaluation::count(board);
        std::copy(counted.begin(), counted.end(), counts.data() + i * counted.size());
      }
    }
    return nb::make_tuple(states, counts);
  });
}

nb::tuple samples(int size, std::optional<Weights> weights, const SampleSettings& settings) {
  return for_size(size, [&]<int N>() {
    std::vector<OthelloSample> played;
    {
      nb::gil_scoped_release unlocked;
      std::optional<OthelloLinear<N>> evaluation;
      if (weights)
        evaluation.emplace(
            std::vector<int16_t>(weights->data(), weights->data() + weights->size()));
      played = play_samples<N>(evaluation ? &*evaluation : nullptr, settings);
    }
    auto own = new_array<uint64_t, 1>({played.size()});
    auto other = new_array<uint64_t, 1>({played.size()});
    auto score = new_array<float, 1>({played.size()});
    for (size_t i = 0; i < played.size(); ++i) {
      own.data()[i] = played[i].own;
      other.data()[i] = played[i].other;
      score.data()[i] = static_cast<float>(played[i].score);
    }
    return nb::make_tuple(own, other, score);
  });
}

using Pieces = nb::ndarray<const uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Column = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Every piece must name one of `columns`.
PieceMatrix matrix_of(const Pieces& pieces, size_t columns) {
  for (size_t i = 0; i < pieces.size(); ++i)
    if (pieces.data()[i] >= columns) throw nb::value_error("a piece names no weight");
  return {pieces.data(), pieces.shape(0), pieces.shape(1)};
}

void add_times(Pieces pieces, Column weights, Sums out) {
  if (out.shape(0) != pieces.shape(0)) throw nb::value_error("out must have a number a row");
  const PieceMatrix matrix = matrix_of(pieces, weights.shape(0));
  nb::gil_scoped_release unlocked;
  matrix.add_times(weights.data(), out.data());
}

void add_gathered(Pieces pieces, Column values, Sums out) {
  if (values.shape(0) != pieces.shape(0)) throw nb::value_error("values must have a number a row");
  const PieceMatrix matrix = matrix_of(pieces, out.shape(0));
  nb::gil_scoped_release unlocked;
  matrix.add_gathered(values.data(), out.data());
}

}  // namespace

void bind_othello_samples(nb::module_& m) {
  m.def(
      "othello_pattern_shape",
      [](int size) { return for_size(size, []<int N>() { return shape_of<N>(); }); }, "size"_a,
      nb::sig("def othello_pattern_shape(size: int) -> dict[str, int]"),
      "The sizes of Othello's linear evaluation: stages, stage_discs, states, counts, pieces.");
  m.def("othello_shared_states", &shared_states, "size"_a,
        "uint32 [states]: the partner of each state in a shared weight.");
  m.def("othello_pieces", &pieces, "size"_a, "own"_a, "other"_a,
        nb::sig("def othello_pieces(size: int, own: numpy.typing.NDArray[numpy.uint64], other: "
                "numpy.typing.NDArray[numpy.uint64]) -> tuple[numpy.typing.NDArray[numpy.uint32], "
                "numpy.typing.NDArray[numpy.float32]]"),
        "The evaluation's inputs of boards uint64 [n]: pieces uint32 [n, pieces],\n"
        "counts float32 [n, counts].");
  m.def(
      "play_othello_samples",
      [](int size, std::optional<Weights> weights, int games, uint64_t seed, int depth,
         int exact_empties) {
        checked("games", games, 0, kMostCount);
        checked("depth", depth, 0, 60);
        checked("exact_empties", exact_empties, 0, 60);
        return samples(
            size, weights,
            {.games = games, .seed = seed, .depth = depth, .exact_empties = exact_empties});
      },
      "size"_a, "weights"_a.none(), nb::kw_only(), "games"_a, "seed"_a, "depth"_a,
      "exact_empties"_a,
      nb::sig("def play_othello_samples(size: int, weights: numpy.typing.NDArray[numpy.int16] | "
              "None, *, games: int, seed: int, depth: int, exact_empties: int) -> "
              "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], "
              "numpy.typing.NDArray[numpy.float32]]"),
      "Plays games by the evaluation with these weights int16 [stages, states + counts]: own and\n"
      "other discs uint64 [n] of each position, and the side to move's final score float32 [n].");
  m.def("add_piece_weights", &add_times, "pieces"_a, "weights"_a, "out"_a,
        "Adds to each row of out float64 [n] the weights of its pieces uint32 [n, k].");
  m.def("add_piece_values", &add_gathered, "pieces"_a, "values"_a, "out"_a,
        "Adds the value float64 [n] of each row to the weights of its pieces, in out float64 "
        "[weights].");
}

}  // namespace sparring
