"""The searches for one half: exact places, few questions, and sentences where there is none."""

from __future__ import annotations

import pytest

from giantstep.errors import InputError
from giantstep.learners.searching import half_along, half_between


@pytest.mark.parametrize("rising", [True, False])
def test_between_two_ends(rising: bool) -> None:
    asked = []

    def share(x: float) -> float:
        asked.append(x)
        return x / (x + 7) if rising else 7 / (x + 7)

    assert half_between(share, (0.01, 1e4), "nowhere", rising=rising, accuracy=1e-10) == pytest.approx(7.0)
    assert len(asked) == len(set(asked)), "no place is asked for twice"
    for ends in ((0.01, 1.0), (10.0, 100.0)):
        with pytest.raises(InputError, match="nowhere"):
            half_between(share, ends, "nowhere", rising=rising, accuracy=0.01)
    with pytest.raises(InputError, match="nowhere"):
        half_between(share, (0.01, 1e4), "nowhere", rising=not rising, accuracy=0.01)


@pytest.mark.parametrize("rising", [True, False])
def test_along_growing_numbers_of_samples(rising: bool) -> None:
    tried = []

    def share(samples: float) -> float:
        tried.append(samples)
        return samples / 100 if rising else 1 - samples / 100

    def search(*samples: float) -> float:
        return half_along(share, samples, "the share", rising=rising, fewer="begin lower", more="go on")

    assert search(25, 75, 1000) == pytest.approx(25 * 3**0.5)
    assert tried == [25, 75], "no further than needed"
    with pytest.raises(InputError, match=r"the share is 0.\d0 with 90 samples already: begin lower"):
        search(90, 95)
    with pytest.raises(InputError, match=r"the share is 0.\d0 with 20 samples still: go on"):
        search(10, 20)


def test_one_lucky_draw_is_not_enough() -> None:
    risks = {4: 0.4, 8: 0.9, 16: 0.3, 32: 0.7, 64: 0.3, 128: 0.2, 256: 0.1}

    def search(*samples: int, sure: int) -> float:
        return half_along(lambda n: risks[int(n)], samples, "it", rising=False, fewer="fewer", more="more", sure=sure)

    assert search(8, 16, 32, sure=0) == pytest.approx(8 * 2 ** (0.4 / 0.6))
    assert search(*risks, sure=1) == pytest.approx(32 * 2**0.5)
    assert search(32, 64, sure=5) == pytest.approx(32 * 2**0.5), "there are no further ones"
    with pytest.raises(InputError, match=r"0\.30 with 64 samples already: fewer"):
        search(64, 128, 256, sure=2)
