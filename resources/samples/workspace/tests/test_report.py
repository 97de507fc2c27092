from datetime import datetime

from station.readings import Reading
from station.report import daily_means


def test_the_mean_of_a_day_is_the_mean_of_its_readings():
    readings = [Reading(datetime(2026, 11, 1, hour), value, 60) for hour, value in ((6, 4.0), (12, 10.0))]
    assert daily_means(readings) == {"2026-11-01": 7.0}
