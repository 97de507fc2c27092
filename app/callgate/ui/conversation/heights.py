"""Heights of all blocks with their running sums: any position or block is found in logarithmic time. Pure.

A Fenwick tree: node i sums the `i & -i` heights that end with the i-th. With 10,000 blocks a plain list of sums would
be rewritten on every delta.
"""

from collections.abc import Iterable


class Heights:
    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]
        self.reset(heights)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        return self.top(len(self._heights))

    def reset(self, heights: Iterable[int]) -> None:
        self._heights = list(heights)
        self._build()

    def insert(self, first: int, heights: Iterable[int]) -> None:
        fresh = list(heights)
        if first < len(self._heights):
            self._heights[first:first] = fresh
            self._build()
            return
        for height in fresh:
            self._append(height)

    def set(self, index: int, height: int) -> None:
        difference = height - self._heights[index]
        self._heights[index] = height
        node = index + 1
        while difference and node < len(self._tree):
            self._tree[node] += difference
            node += node & -node

    def top(self, index: int) -> int:
        """The sum of all heights before a block."""
        total, node = 0, index
        while node:
            total += self._tree[node]
            node -= node & -node
        return total

    def find(self, position: int) -> int:
        """The block at a position; the last one for everything beyond."""
        node, step = 0, 1 << len(self._heights).bit_length()
        while step:
            ahead = node + step
            if ahead < len(self._tree) and self._tree[ahead] <= position:
                node, position = ahead, position - self._tree[ahead]
            step >>= 1
        return min(node, max(0, len(self._heights) - 1))

    def _append(self, height: int) -> None:
        node = len(self._tree)
        before = self.top(node - 1) - self.top(node - (node & -node))
        self._heights.append(height)
        self._tree.append(before + height)

    def _build(self) -> None:
        self._tree = [0, *self._heights]
        for node in range(1, len(self._tree)):
            above = node + (node & -node)
            if above < len(self._tree):
                self._tree[above] += self._tree[node]
