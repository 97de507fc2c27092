"""What Xvfb has drawn, read from the file it draws into: a picture costs no program and no X request."""

import struct
from pathlib import Path

from PySide6.QtGui import QImage

_HEADER = struct.Struct(">25I")
"""Of the XWD format; big-endian, whatever the pixels are."""


def read(path: Path) -> QImage:
    data = path.read_bytes()
    header = _HEADER.unpack_from(data)
    header_size, width, height, line, colors = header[0], header[4], header[5], header[12], header[19]
    start = header_size + colors * 12
    pixels = data[start : start + line * height]
    return QImage(pixels, width, height, line, QImage.Format.Format_RGB32).copy()
