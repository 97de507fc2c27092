"""What counts of the configuration file, and when one is accepted without a look: because the person named it.

Named by `--config` for the first time and outside the workspace, or in the usual place at the very first start: then it
is accepted. A file in the workspace never is, as agents write there, unless `--trust-config` says so.
"""

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from callgate.core.config.items import identical, settings_items, settings_of
from callgate.core.config.settings import Settings
from callgate.store.files.config_file import ConfigFile, find_config, usual_config
from callgate.store.files.reviewed_files import ReviewedFiles


@dataclass(frozen=True, slots=True)
class NamedConfig:
    """The configuration as the command line names it."""

    explicit: Path | None
    workspace: Path
    trusted: bool = False
    """Whether it counts as it is, whoever wrote it."""

    @property
    def path(self) -> Path:
        return self.explicit if self.explicit is not None else usual_config()

    @property
    def in_workspace(self) -> bool:
        places = (self.path.absolute(), self.path.resolve())
        return any(place.is_relative_to(self.workspace) for place in places)


class ReviewedConfig:
    def __init__(self, named: NamedConfig, files: ReviewedFiles) -> None:
        self._named, self._files = named, files
        self._first = True

    def file(self) -> ConfigFile:
        return ConfigFile(find_config(self._named.explicit), counted=self.counted)

    def counted(self, settings: Settings, text: str) -> Settings:
        path, found = self._named.path, settings_items(settings)
        first, self._first = self._first, False
        if first and text and self._may_trust(text):
            self._files.trust(path, found, text)
        if not text and not self._files.knows(path):
            return settings
        holding = self._files.look(path, "configuration", found, text or None)
        if identical(holding, found):
            return settings
        accepted = self._files.accepted.get(self._files.name_of(path))
        for items in (holding, accepted.items if accepted is not None else {}):
            try:
                return settings_of(items)
            except ValidationError:
                continue  # what was accepted and what narrows it do not go together
        return Settings()

    def _may_trust(self, text: str) -> bool:
        named, files = self._named, self._files
        if named.trusted:
            return True
        if files.knows(named.path):
            return False
        same = files.anchor.knows_text(files.name_of(named.path), text)
        if same is not None or files.distrusted:
            return same is True
        return files.is_new if named.explicit is None else not named.in_workspace
