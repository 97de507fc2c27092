"""The parts that the window arranges; whoever builds the program hands them in."""

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Panels:
    tools: QWidget
    conversations: QWidget
    conversation: QWidget
    composer: QWidget
    approvals: QWidget
