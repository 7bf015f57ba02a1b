"""Generated programs: the same few in each run; many by hand, with HYPOTHESIS_PROFILE=many."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
usual = settings(deadline=None, suppress_health_check=slow, database=None)
settings.register_profile("few", usual, derandomize=True, max_examples=100)
settings.register_profile("many", usual, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "few"))
