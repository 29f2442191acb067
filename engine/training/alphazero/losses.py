"""The losses of self-play, one for each part of the outputs."""

from __future__ import annotations

from torch import Tensor

from engine.networks.torch_model import Outputs
from engine.training.common.measures import policy_divergence, score_distances, share_divergence
from engine.training.common.rows import SampleRows

IMPOSSIBLE = -1e9  # the logit of an illegal move


def losses(out: Outputs, rows: SampleRows) -> dict[str, Tensor]:
    """Returns each part's mean loss over the batch, as scalars [] with gradients.

    The reply belongs to a network's second policy, if it has one. "squares" is the paper's loss of
    the value, with results as 1 and -1.
    """
    logits = out.policy[:, 0].float().masked_fill(rows.legal == 0, IMPOSSIBLE)
    ahead = out.value[:, 0].float() - out.value[:, 1].float()
    share = (rows.ownership.float() + 1) / 2
    parts = {
        "policy": policy_divergence(logits, rows.policy.float(), rows.policy_weight),
        "value": share_divergence(ahead, rows.result),
        "squares": 4 * (ahead.sigmoid() - rows.result).square().mean(),
        "ownership": share_divergence(2 * out.ownership.float(), share),
        **score_distances(out.misc, rows.score),
    }
    if out.policy.shape[1] > 1:
        parts["reply"] = policy_divergence(out.policy[:, 1], rows.reply.float(), rows.reply_weight)
    return parts
