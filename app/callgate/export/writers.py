"""From a format to its writer. Pure."""

from typing import assert_never

from callgate.export.format import ExportAbout, ExportOptions, ExportWriter, Format
from callgate.export.html import HtmlWriter
from callgate.export.http import HarWriter
from callgate.export.markdown import MarkdownWriter
from callgate.export.native import NativeWriter
from callgate.export.open_telemetry import OtlpWriter


def writer_for(form: Format, about: ExportAbout, options: ExportOptions, title: str = "Conversations") -> ExportWriter:
    match form:
        case "jsonl":
            return NativeWriter(about, bodies=options.wire)
        case "html":
            return HtmlWriter(about, title)
        case "markdown":
            return MarkdownWriter(about)
        case "har":
            return HarWriter(about, bodies=options.bodies)
        case "otlp":
            return OtlpWriter(about, bodies=options.bodies)
        case _:
            assert_never(form)
