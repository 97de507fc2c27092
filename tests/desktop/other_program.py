"""Another program on the same display: a window with a field, which writes to stdout whatever is typed into it."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Other program")
field = QLineEdit()
field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
field.textChanged.connect(lambda text: print(text, flush=True))
column = QVBoxLayout(window)
column.addWidget(field)
window.setGeometry(1200, 1100, 300, 60)  # below the other windows: it must not cover what is clicked
window.show()
print("ready", flush=True)
sys.exit(app.exec())
