from __future__ import annotations

from collections.abc import Iterator

import pytest
from drivers import DRIVERS
from script import Script


@pytest.fixture(params=sorted(DRIVERS))
def script(request: pytest.FixtureRequest) -> Iterator[Script]:
    running = Script(request.param)
    yield running
    running.close()
