// GoGameBatch for Python: games for training, as rows filled in place.
#include "bindings/bind_game_batch.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>

#include "common/bounds.h"
#include "go/go_game_batch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {
namespace {

constexpr int kMostGames = 1'000'000;  // of some kilobytes each

void check(bool fits, const char* name, const GoGameBatch& pool) {
  if (fits) return;
  throw nb::value_error((std::string(name) + " does not have the shape of " +
                         std::to_string(pool.games()) + " games on " +
                         std::to_string(pool.width()) + "x" + std::to_string(pool.height()))
                            .c_str());
}

using Spatial = nb::ndarray<uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Mask = nb::ndarray<uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Column = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Array>
bool has(const Array& array, std::initializer_list<int> shape) {
  size_t axis = 0;
  for (const int length : shape)
    if (array.shape(axis++) != static_cast<size_t>(length)) return false;
  return true;
}

void fill(const GoGameBatch& pool, Spatial spatial, Matrix globals, Mask legal) {
  check(has(spatial, {pool.games(), GoPosition::kPlanes, pool.height(), pool.width()}), "spatial",
        pool);
  check(has(globals, {pool.games(), GoPosition::kGlobals}), "globals", pool);
  check(has(legal, {pool.games(), pool.move_count()}), "legal", pool);
  nb::gil_scoped_release release;
  pool.fill(spatial.data(), globals.data(), legal.data());
}

void advance(GoGameBatch& pool, Matrix logits, Column score_lead) {
  check(has(logits, {pool.games(), pool.move_count()}), "logits", pool);
  check(has(score_lead, {pool.games()}), "score_lead", pool);
  nb::gil_scoped_release release;
  pool.advance(logits.data(), score_lead.data());
}

GoPosition position(const GoGameBatch& pool, int game) {
  if (game < 0 || game >= pool.games())
    throw nb::index_error(("no game " + std::to_string(game)).c_str());
  return pool.position(game);
}

}  // namespace

void bind_game_batch(nb::module_& m) {
  nb::class_<GoGameBatch>(m, "GoGameBatch", "Many quick Go games of one size, advanced together.")
      .def(
          "__init__",
          [](GoGameBatch* self, int width, int height, int games, uint64_t seed, int threads) {
            new (self) GoGameBatch(checked("width", width, kMinSize, kMaxSize),
                                   checked("height", height, kMinSize, kMaxSize),
                                   checked("games", games, 0, kMostGames), seed,
                                   checked("threads", threads, 1, kMostThreads));
          },
          "width"_a, "height"_a, nb::kw_only(), "games"_a, "seed"_a, "threads"_a = 1)
      .def_prop_ro("width", &GoGameBatch::width)
      .def_prop_ro("height", &GoGameBatch::height)
      .def_prop_ro("games", &GoGameBatch::games)
      .def_prop_ro("move_count", &GoGameBatch::move_count)
      .def_prop_ro("finished", &GoGameBatch::finished, "The number of finished games.")
      .def("position", &position, "game"_a, "A copy of the present position of a game.")
      .def("fill", &fill, "spatial"_a, "globals"_a, "legal"_a,
           "Writes a row for each game: spatial uint8 [games, 22, H, W], globals float32\n"
           "[games, 19], legal uint8 [games, H*W+1].")
      .def("advance", &advance, "logits"_a, "score_lead"_a,
           "Plays a move in each game by policy logits float32 [games, H*W+1] of the last\n"
           "rows; score_lead float32 [games], points of the side to move.");
}

}  // namespace sparring
