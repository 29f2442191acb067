"""The core's trainable convolutions: exact within stated bounds, and as good as torch's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from engine._core import TrainedConvolution
from engine.networks.architecture import Convolution, Normalization
from engine.networks.torch_layers import EPSILON, Conv, Norm, board_of, learned_after
from engine.networks.torch_model import TorchNetwork
from engine.training.common.convolution import available, use_core
from engine.training.go.student import new_student, shape_of

pytestmark = pytest.mark.skipif(
    not available(), reason="needs the instructions avx512-bf16 without AMX"
)

# Root mean square of the error, by that of the exact values.
ROUGH = 0.02
SHAPES = (  # boards, height, width, inputs, outputs
    (3, 19, 19, 96, 32),
    (5, 9, 9, 32, 64),
    (2, 7, 6, 64, 160),
    (9, 8, 8, 64, 21),
    (1, 2, 5, 32, 32),
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks this small lose time by sharing their work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def random(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def boards(*shape: int, seed: int = 1) -> Tensor:
    x = random(*shape, seed=seed).to(torch.bfloat16)
    return x.contiguous(memory_format=torch.channels_last)


def error(found: Any, exact: Any) -> float:
    exact = exact.detach()
    return float((found.detach().double() - exact).norm() / exact.norm())


def conv_of(outputs: int, inputs: int, *, seed: int = 2) -> Conv:
    weights = random(outputs, inputs, 3, 3, seed=seed) / (9 * inputs) ** 0.5
    return use_core(Conv(Convolution("c", weights.numpy())))


def norm_of(channels: int) -> Norm:
    scale, shift = 1 + random(channels, seed=3) / 4, random(channels, seed=4) / 2
    layer = Normalization("n", scale.numpy(), shift.numpy(), "relu")
    return Norm(layer)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_convolution_and_its_gradients_are_the_exact_ones(shape: tuple[int, ...]) -> None:
    count, height, width, inputs, outputs = shape
    x = boards(count, inputs, height, width).requires_grad_()
    conv = conv_of(outputs, inputs)
    y: Any = conv(x)
    back = boards(*y.shape, seed=5)
    y.backward(back)

    exact_x = x.detach().double().requires_grad_()
    weight = conv.weight.detach().double().requires_grad_()
    exact: Any = functional.conv2d(exact_x, weight, padding=1)
    exact.backward(back.double())
    assert x.grad is not None
    assert conv.weight.grad is not None
    assert y.dtype == x.grad.dtype == torch.bfloat16
    assert error(y, exact) < ROUGH
    assert error(x.grad, exact_x.grad) < ROUGH
    assert error(conv.weight.grad, weight.grad) < ROUGH


@pytest.mark.parametrize("batch", [True, False], ids=["batch", "running statistics"])
def test_convolutions_of_a_normalization_and_their_gradients_are_the_exact_ones(
    batch: bool,
) -> None:
    norm, convs = norm_of(64), [conv_of(32, 64), conv_of(21, 64, seed=6)]
    norm.train(batch)
    x = (3 * boards(6, 64, 9, 8) + 1).requires_grad_()
    exact_x = x.detach().double().requires_grad_()
    copies = [part.detach().double().requires_grad_() for part in (norm.weight, norm.bias)]
    weights = [conv.weight.detach().double().requires_grad_() for conv in convs]
    running = [norm.mean.double().clone(), norm.variance.double().clone()]
    parts: list[Any] = [*running, *copies, batch, 0.01, EPSILON]
    normed = functional.batch_norm(exact_x, *parts).relu()
    exact = [functional.conv2d(normed, weight, padding=1) for weight in weights]

    made = learned_after(norm, x, board_of(x, None), convs)
    assert made is not None
    backs = [boards(*y.shape, seed=7) for y in exact]
    torch.autograd.backward(made, backs)
    torch.autograd.backward(exact, [back.double() for back in backs])
    for found, wanted in zip(made, exact, strict=True):
        assert error(found, wanted) < ROUGH
    for found, wanted in zip((norm.mean, norm.variance), running, strict=True):
        assert torch.allclose(found.double(), wanted, rtol=1e-5, atol=1e-6)
    learned = [x, norm.weight, norm.bias, *(conv.weight for conv in convs)]
    for part, wanted in zip(learned, [exact_x, *copies, *weights], strict=True):
        assert part.grad is not None
        assert error(part.grad, wanted.grad) < 2 * ROUGH


def test_what_lies_under_a_convolution_is_added_and_learns() -> None:
    norm, conv = norm_of(32), conv_of(32, 32)
    x, under = boards(4, 32, 7, 7), boards(4, 32, 7, 7, seed=8).requires_grad_()
    alone = conv.after(norm, x, board_of(x, None))
    norm.mean.zero_()
    norm.variance.fill_(1 - EPSILON)
    y: Any = conv.after(norm, x, board_of(x, None), under)
    assert error(y, alone.double() + under.double()) < 0.01
    back = boards(*y.shape, seed=9)
    y.backward(back)
    assert under.grad is not None
    assert torch.equal(under.grad, back)


def test_the_number_of_threads_changes_nothing() -> None:
    def grown(threads: int) -> list[Tensor]:
        torch.set_num_threads(threads)
        norm, conv = norm_of(64), conv_of(64, 64)
        x = boards(16, 64, 11, 11).requires_grad_()
        y: Any = conv.after(norm, x, board_of(x, None))
        y.backward(boards(*y.shape, seed=5))
        return [y, *(part.grad for part in (x, conv.weight, norm.weight) if part.grad is not None)]

    for one, three in zip(grown(1), grown(3), strict=True):
        assert torch.equal(one, three)


def test_what_the_core_cannot_do_is_left_to_torch() -> None:
    plain = random(2, 32, 5, 5)
    conv = conv_of(32, 32)
    assert torch.equal(conv(plain), functional.conv2d(plain, conv.weight, padding=1))
    odd = boards(2, 48, 5, 5)
    conv = conv_of(32, 48)
    rounded = conv.weight.to(torch.bfloat16)
    assert torch.equal(conv(odd), functional.conv2d(odd, rounded, padding=1))
    x = boards(2, 32, 5, 5)
    mask = torch.ones(2, 1, 5, 5)
    assert learned_after(norm_of(32), x, board_of(x, mask), [conv_of(32, 32)]) is None


def test_a_network_learns_as_by_torch() -> None:
    def curve(core_learns: bool) -> list[float]:
        network: TorchNetwork = new_student("small", shape_of(3, 32), seed=1).network
        if core_learns:
            use_core(network)
        spatial = (random(64, 22, 7, 7) > 0).to(torch.bfloat16)
        spatial = spatial.contiguous(memory_format=torch.channels_last)
        taught = random(64, 50, seed=2).mul(2).softmax(dim=1)
        optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
        row_metrics = []
        for _ in range(60):
            out = network(spatial, torch.zeros(64, 19))
            logits = out.policy[:, 0].log_softmax(dim=1)
            loss: Any = functional.kl_div(logits, taught, reduction="batchmean")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            row_metrics.append(loss.item())
        return row_metrics

    torchs, own = curve(core_learns=False), curve(core_learns=True)
    assert own[0] == pytest.approx(torchs[0], rel=0.02)
    assert own[-1] < own[0] / 10
    # The way there: where both are near 0, they differ by as much as two seeds would.
    assert sum(own) == pytest.approx(sum(torchs), rel=0.05)
    assert own[20] == pytest.approx(torchs[20], rel=0.15)


@pytest.mark.parametrize("channels", [16, 33], ids=str)
def test_arrays_that_do_not_fit_are_refused(channels: int) -> None:
    x: Any = torch.zeros(1, 5, 5, channels, dtype=torch.int16)
    weights: list[Any] = [torch.zeros(32, channels, 3, 3), torch.zeros(64, 32, 3, 3)]
    with pytest.raises(ValueError, match="number of channels"):
        TrainedConvolution.forward(x, weights[0], x, threads=1)
    x = torch.zeros(1, 5, 5, 32, dtype=torch.int16)
    with pytest.raises(ValueError, match="array of weights"):
        TrainedConvolution.forward(x, weights[1], x, threads=1)
