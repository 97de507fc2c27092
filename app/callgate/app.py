"""The program with its window: a station, and the person's front door to it, on one loop."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from callgate import loop
from callgate.headless import Visit, ready_line, say
from callgate.station import Launch, Station
from callgate.ui.approvals.presenter import ApprovalPresenter
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.list_panel import ConversationListPanel
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.panels import Panels
from callgate.ui.theme import Theme
from callgate.ui.tools.panel import ToolsPanel
from callgate.ui.window import MainWindow

log = logging.getLogger(__name__)
