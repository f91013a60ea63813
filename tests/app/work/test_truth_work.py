import numpy as np
import pytest

from explorer.analysis import true_posterior
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.map_job import MapJob
from explorer.app.work.requests import MapRequest, Pictures, load_source
from explorer.app.work.truth_work import true_maps
from explorer.engine import FAMILIES


@pytest.fixture
def job():
    recipe, cache = DataRecipe("moons"), Cache()
    request = MapRequest(recipe, (FAMILIES["RF"].replace(n_tree=2),), pixels=(60, 40), truth=True)
    return MapJob(request, load_source(recipe, cache), cache)


def test_the_truth_is_shown_coarse_then_fine_and_kept_for_others(job):
    steps = [step for step in true_maps(job) if isinstance(step, Pictures)]
    first, last = steps[0].truth, steps[-1].truth
    expected = true_posterior(job.source.data, job.plane, 60, 40, boundary=False).posterior
    np.testing.assert_allclose(last, expected, atol=1e-6)
    assert first.shape == last.shape
    assert len(np.unique(first)) < len(np.unique(last))
    assert job.cache.get(job.truth_key()) is last
