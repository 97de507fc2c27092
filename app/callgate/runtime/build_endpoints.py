"""Makes everything that has to do with endpoints, plugged together. Part of the composition root."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from callgate.core.config.settings import Settings
from callgate.engine.bus import Bus
from callgate.engine.endpoints.endpoint_book import EndpointBook
from callgate.engine.endpoints.endpoint_examiner import EndpointExaminer
from callgate.engine.endpoints.endpoint_keys import EndpointKeys
from callgate.engine.endpoints.live_endpoints import LiveEndpoints
from callgate.engine.endpoints.model_list import ModelList
from callgate.engine.tasks import Tasks
from callgate.store.files.endpoint_file import EndpointFile
from callgate.store.files.reviewed_files import ReviewedFiles, json_file
from callgate.store.secrets import Secrets
from callgate.tools.process.hardening import withdraw
from callgate.upstream.client import UpstreamClient
from callgate.upstream.demo.model import DEMO_HOST, DemoTransport
from callgate.upstream.google_auth import GoogleAuth
from callgate.upstream.routing import Routing
from callgate.wire.registry import CODECS

FILE_NAME = "endpoints.json"


def added_endpoints(data: Path, files: ReviewedFiles | None = None) -> EndpointFile:
    return EndpointFile(json_file(data / FILE_NAME, "endpoints", files))


class Providers:
    """Who answers: which endpoint for which model, over which connection, with which key."""

    def __init__(
        self,
        settings: Settings,
        files: ReviewedFiles,
        demo_pace_ms: int | None,
        bus: Bus,
        tasks: Tasks,
        own_address: Callable[[], str],
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """Raises `UserFault` for what is wrong in the configuration."""
        self.routing = Routing()
        pace = settings.demo.pace_ms if demo_pace_ms is None else demo_pace_ms
        google = GoogleAuth()
        self.upstream = UpstreamClient(CODECS, mounts={DEMO_HOST: DemoTransport(pace_ms=pace)}, google=google)
        self.keys = EndpointKeys(Secrets(environ, withdraw=None if environ is os.environ else withdraw))
        self.models = ModelList(self.routing, self.upstream, self.keys.key_for)
        self.endpoints = LiveEndpoints(
            EndpointBook(settings.upstreams, added_endpoints(files.data, files)),
            self.keys,
            self.routing,
            self.models,
            EndpointExaminer(self.upstream, google),
            bus,
            tasks,
            own_address,
        )
