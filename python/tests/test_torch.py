"""The sampler of epochs: torch's own shares of an epoch, and the same numbers for each item whatever the workers and ranks."""

import librng as rng
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from librng.torch import EpochSampler  # noqa: E402

S = rng.Stream(42)


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("items", [1, 97, 2500])
def test_ranks_share_an_epoch_as_torch_has_it(items, drop_last):
    data = range(items)
    for ranks in range(1, 6):
        for rank in range(ranks):
            theirs = torch.utils.data.DistributedSampler(data, ranks, rank, shuffle=False, drop_last=drop_last)
            ours = EpochSampler(S, items, ranks=ranks, rank=rank, shuffle=False, drop_last=drop_last)
            assert list(ours) == list(theirs) and len(ours) == len(theirs)


def test_an_epoch_has_each_item_once():
    sampler = EpochSampler(S, 1000)
    orders = []
    for epoch in range(3):
        sampler.set_epoch(epoch)
        orders.append(list(sampler))
        assert sorted(orders[-1]) == list(range(1000))
        assert orders[-1] == rng.permutation(1000, S.fork("order").fork(epoch)).tolist()
    assert orders[0] != orders[1] != orders[2]


class Data(torch.utils.data.Dataset):
    def __init__(self, sampler):
        self.sampler = sampler

    def __len__(self):
        return self.sampler.items

    def __getitem__(self, item):
        return item, rng.at(self.sampler.numbers(item), rng.uniform(), 0)


def test_workers_change_nothing():
    def epoch(workers, ranks):
        seen = {}
        for rank in range(ranks):
            sampler = EpochSampler(S, 60, ranks=ranks, rank=rank)
            sampler.set_epoch(3)
            for items, numbers in torch.utils.data.DataLoader(Data(sampler), batch_size=7, sampler=sampler, num_workers=workers):
                seen.update(zip(items.tolist(), numbers.tolist()))
        return seen

    expected = epoch(0, 1)
    assert len(expected) == 60 and len(set(expected.values())) == 60
    assert epoch(2, 1) == epoch(0, 3) == expected


def test_what_is_refused():
    for call, error, message in (
        (lambda: EpochSampler(42, 10), TypeError, "stream must be a Stream, got int"),
        (lambda: EpochSampler(S, -1), ValueError, "items must be at least 0, got -1"),
        (lambda: EpochSampler(S, 10, ranks=0), ValueError, "ranks must be at least 1"),
        (lambda: EpochSampler(S, 10, ranks=2, rank=2), ValueError, "rank must be below ranks = 2, got 2"),
        (lambda: EpochSampler(S, 10).set_epoch(1.5), TypeError, "epoch must be an integer"),
    ):
        with pytest.raises(error, match=message):
            call()
    assert np.array_equal(list(EpochSampler(S, 0)), [])
