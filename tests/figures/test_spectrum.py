"""What a spectrum picture puts on its axes."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch, StepPatch

from giantstep.figures import SpectrumPicture, draw


def steps(axes) -> list[StepPatch]:
    """The outlines of the histograms."""
    return [patch for patch in axes.patches if isinstance(patch, StepPatch)]


def test_histogram_area_is_the_share_of_values_in_the_bulk(spectrum):
    axes = draw(spectrum).axes[0]
    for heights, edges, _ in (patch.get_data() for patch in steps(axes)):
        area = float(np.sum(heights * np.diff(edges)))
        assert area == pytest.approx(1, abs=3 / 4000 + 1e-12)


def test_histogram_follows_the_density_it_was_drawn_from(spectrum):
    axes = draw(spectrum).axes[0]
    heights, edges, _ = steps(axes)[0].get_data()
    middle = (edges[1:] + edges[:-1]) / 2
    expected = np.sqrt(np.clip(4 - middle**2, 0, None)) / (2 * np.pi)
    error = np.sqrt(expected / (4003 * np.diff(edges)))
    inside = np.abs(middle) < 1.8
    assert np.all(np.abs(heights - expected)[inside] < 5 * error[inside])


def test_density_spikes_and_outliers_are_shown(spectrum):
    axes = draw(spectrum).axes[0]
    x, y = np.asarray(spectrum.density_x), np.asarray(spectrum.density_y)
    assert any(np.array_equal(line.get_xydata(), np.column_stack([x, y])) for line in axes.get_lines())
    crosses = [line for line in axes.get_lines() if line.get_marker() == "x"]
    assert [line.get_xydata().tolist() for line in crosses] == [[[3.05, 0.0]]]
    (arrow,) = [text.arrow_patch for text in axes.texts if isinstance(text.arrow_patch, FancyArrowPatch)]
    assert arrow.get_visible()
    rug = [segment[0][0] for collection in axes.collections for segment in collection.get_segments()]
    assert rug == [2.9, 3.0, 3.1]
    low, high = axes.get_xlim()
    assert low < -2
    assert high > 3.1


def test_a_far_spike_breaks_the_axis_and_keeps_the_bulk_wide(spectrum):
    values = np.concatenate([np.asarray(spectrum.before), [400.0, 410.0]])
    picture = SpectrumPicture(
        "Far", "x", values, spectrum.density_x, spectrum.density_y, spikes=((405, "predicted", "predicted"),)
    )
    axes = draw(picture).axes[0]
    place = axes.transAxes.inverted().transform(axes.transData.transform([(-2, 0), (2, 0), (405, 0), (410, 0)]))
    bulk, spike = place[1, 0] - place[0, 0], place[2, 0]
    assert bulk > 0.5
    assert 0.7 < spike < place[3, 0] < 1
    ticks = axes.get_xticks()
    assert np.all(np.diff(ticks) > 0)
    assert not np.any((ticks > 3) & (ticks < 390))


def test_many_outliers_are_bars():
    draws = np.random.default_rng(0)
    values = np.concatenate([draws.uniform(0, 1, 800), draws.uniform(1.5, 2, 200)])
    picture = SpectrumPicture("Two parts", "x", values, [0, 0.5, 1], [1, 1, 1])
    heights, edges, _ = steps(draw(picture).axes[0])[0].get_data()
    assert edges[-1] >= values.max()
    assert np.sum(heights * np.diff(edges)) == pytest.approx(1)


def test_a_singular_density_does_not_set_the_scale():
    x = np.linspace(1e-6, 4, 400)
    density = np.sqrt(4 / x - 1) / (2 * np.pi)
    values = 4 * np.random.default_rng(1).beta(0.5, 1.5, size=2000)
    axes = draw(SpectrumPicture("Singular", "x", values, x, density)).axes[0]
    assert axes.get_ylim()[1] < 0.1 * density.max()
    assert axes.get_xlim()[0] > -0.5


def test_a_bar_beyond_the_axis_says_its_height():
    values = np.concatenate([np.zeros(500), np.linspace(0, 1, 500)])
    axes = draw(SpectrumPicture("Atom", "x", values, [0, 1], [0.5, 0.5])).axes[0]
    heights, _, _ = steps(axes)[0].get_data()
    assert heights.max() > axes.get_ylim()[1]
    assert any(f"{heights.max():.3g}" in text.get_text() for text in axes.texts)


@pytest.mark.parametrize("values", [[2.0], [0.0, 0.0, 0.0], [1, 2, 5], [1e-12, 2e-12], [-3, np.nan, 3]])
def test_few_or_equal_values(values):
    axes = draw(SpectrumPicture("Few", "x", values)).axes[0]
    heights, edges, _ = steps(axes)[0].get_data()
    assert np.sum(heights * np.diff(edges)) == pytest.approx(1)
    assert axes.get_xlim()[0] < np.nanmin(values) <= np.nanmax(values) < axes.get_xlim()[1]


def test_very_many_values_make_a_small_picture():
    values = np.random.default_rng(2).normal(size=1_000_000)
    assert len(draw(SpectrumPicture("Many", "x", values)).svg()) < 200_000
