// The evaluators without a network for Python: rows of planes in, raw outputs out, in place.
#include "bindings/bind_rollouts.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "common/bounds.h"
#include "rollouts/connect4_rollouts.h"
#include "rollouts/darkchess_rollouts.h"
#include "rollouts/einstein_rollouts.h"
#include "rollouts/othello_judge.h"
#include "rollouts/othello_rollouts.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {
namespace {

using Spatial = nb::ndarray<const uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void require(bool fits, const char* what) {
  if (!fits) throw nb::value_error(what);
}

bool holds(const Matrix& array, int rows, int columns) {
  return static_cast<int>(array.shape(0)) >= rows && static_cast<int>(array.shape(1)) == columns;
}

template <typename P>
void evaluate(const P& rollouts, int rows, Spatial spatial, Matrix globals, Matrix policy,
              Matrix value, Matrix misc, Matrix ownership) {
  const auto area = static_cast<size_t>(rollouts.area());
  require(rows >= 0 && static_cast<int>(spatial.shape(0)) >= rows &&
              spatial.shape(1) == P::kPlanes && spatial.shape(2) * spatial.shape(3) == area,
          "spatial must be [rows, planes, height, width]");
  require(holds(globals, rows, P::kGlobals), "globals must be [rows, globals]");
  require(holds(policy, rows, rollouts.moves()) && holds(value, rows, 3) && holds(misc, rows, 6) &&
              holds(ownership, rows, rollouts.area()),
          "outputs must be policy [n, moves], value [n, 3], misc [n, 6], ownership [n, area]");
  nb::gil_scoped_release unlocked;
  for (int row = 0; row < rows; ++row)
    rollouts.evaluate({spatial.data() + row * P::kPlanes * area, globals.data() + row * P::kGlobals,
                       policy.data() + row * rollouts.moves(), value.data() + row * 3,
                       misc.data() + row * 6, ownership.data() + row * area});
}

}  // namespace

void bind_rollouts(nb::module_& m) {
  constexpr auto kDoc =
      "Fills the outputs of the first `rows` rows: spatial uint8 [n, planes, H, W], the others\n"
      "float32, see engine/games/evaluator.py.";
  nb::class_<OthelloRollouts>(m, "OthelloRollouts", "Judges Othello positions by rollouts.")
      .def(
          "__init__",
          [](OthelloRollouts* self, int size, int rollouts, uint64_t seed) {
            require(size >= 4 && size <= 10 && size % 2 == 0, "size must be 4, 6, 8 or 10");
            new (self) OthelloRollouts(size, checked("rollouts", rollouts, 1, kMostRollouts), seed);
          },
          "size"_a, nb::kw_only(), "rollouts"_a, "seed"_a)
      .def("evaluate", &evaluate<OthelloRollouts>, "rows"_a, "spatial"_a, "globals"_a, "policy"_a,
           "value"_a, "misc"_a, "ownership"_a, kDoc);
  nb::class_<OthelloJudge>(m, "OthelloJudge", "Judges Othello positions by a linear evaluation.")
      .def(
          "__init__",
          [](OthelloJudge* self, int size, Weights weights, std::vector<float> win_scales,
             std::vector<float> deviations, float policy_scale, int rollouts, uint64_t seed) {
            checked("rollouts", rollouts, 0, kMostRollouts);
            new (self) OthelloJudge(
                size, std::vector<int16_t>(weights.data(), weights.data() + weights.size()),
                {std::move(win_scales), std::move(deviations), policy_scale}, rollouts, seed);
          },
          "size"_a, "weights"_a, nb::kw_only(), "win_scales"_a, "deviations"_a, "policy_scale"_a,
          "rollouts"_a, "seed"_a,
          "Weights int16 [stages, states + counts]; the scales have a number for each stage.")
      .def("evaluate", &evaluate<OthelloJudge>, "rows"_a, "spatial"_a, "globals"_a, "policy"_a,
           "value"_a, "misc"_a, "ownership"_a, kDoc);
  nb::class_<Connect4Rollouts>(m, "Connect4Rollouts", "Judges Connect4 positions by rollouts.")
      .def(
          "__init__",
          [](Connect4Rollouts* self, int width, int height, int rollouts, uint64_t seed) {
            require(Connect4Board::fits(width, height), "the board does not fit 64 bits");
            checked("rollouts", rollouts, 1, kMostRollouts);
            new (self) Connect4Rollouts(width, height, rollouts, seed);
          },
          "width"_a, "height"_a, nb::kw_only(), "rollouts"_a, "seed"_a)
      .def("evaluate", &evaluate<Connect4Rollouts>, "rows"_a, "spatial"_a, "globals"_a, "policy"_a,
           "value"_a, "misc"_a, "ownership"_a, kDoc);
  nb::class_<DarkChessRollouts>(m, "DarkChessRollouts", "Judges dark chess by playouts.")
      .def(
          "__init__",
          [](DarkChessRollouts* self, int width, int height, const std::array<int, 7>& material,
             int rollouts, double material_share, double material_scale, double policy_scale,
             uint64_t seed) {
            require(DarkChessGeometry::fits(width, height), "there is no such board");
            KindCounts counts{};
            for (int kind = 0; kind < kDarkChessKinds; ++kind)
              counts[kind] = static_cast<uint8_t>(
                  checked("material", material[kind], 0, kUsualMaterial[kind]));
            require(2 * count_of(counts) == width * height, "the material must fill the board");
            checked("rollouts", rollouts, 1, kMostRollouts);
            checked("material_share", material_share, 0, 1);
            checked("material_scale", material_scale, 0, 1e6);
            checked("policy_scale", policy_scale, 1e-6, 1e6);
            new (self)
                DarkChessRollouts(width, height, counts,
                                  {rollouts, material_share, material_scale, policy_scale, seed});
          },
          "width"_a, "height"_a, "material"_a, nb::kw_only(), "rollouts"_a, "material_share"_a,
          "material_scale"_a, "policy_scale"_a, "seed"_a)
      .def("evaluate", &evaluate<DarkChessRollouts>, "rows"_a, "spatial"_a, "globals"_a, "policy"_a,
           "value"_a, "misc"_a, "ownership"_a, kDoc);
  nb::class_<EinsteinRollouts>(m, "EinsteinRollouts", "Judges EinStein wuerfelt nicht by playouts.")
      .def(
          "__init__",
          [](EinsteinRollouts* self, int rollouts, uint64_t seed) {
            new (self) EinsteinRollouts(checked("rollouts", rollouts, 1, kMostRollouts), seed);
          },
          nb::kw_only(), "rollouts"_a, "seed"_a)
      .def("evaluate", &evaluate<EinsteinRollouts>, "rows"_a, "spatial"_a, "globals"_a, "policy"_a,
           "value"_a, "misc"_a, "ownership"_a, kDoc);
}

}  // namespace sparring
