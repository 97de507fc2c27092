"""What source files of other languages declare: found by words, never in strings or comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.tools.builtin.code_outline import LANGUAGES, outline_code

JAVASCRIPT = """\
// function commented() {}
const text = 'class Quoted {}'
function plain(a) { return a }
class Box extends Thing {
  constructor(x) { super(x) }
  async open(x) { if (x) { go() } }
  get size() { return 1 }
}
const arrow = async (x) => x
let number = 3
var old = function () {}
export default function main() {}
thing.class.method(1)
"""
TYPESCRIPT = """\
import { type Other } from './other'
export interface Shape { area(): number }
export abstract class Box<T> implements Shape {
  private open<U>(x: number, y: U): Promise<void> { return go() }
}
function same<T>(x: T): T { return x }
type Name = string
enum Color { red }
namespace Space { export function inner() {} }
export const handle: Handler = (a: number): string => 'x'
"""
C = """\
struct point { int x; };
struct point *make(struct point *p);
static int add(int a, int b) {
  return a + b;
}
int main(void)
{
  struct point here;
  return add(1, 2);
}
"""


@pytest.mark.parametrize(
    ("suffix", "text", "rows"),
    [
        (
            ".js", JAVASCRIPT,
            ["3: function plain", "4: class Box", "5:   function constructor", "6:   function open",
             "7:   function size", "9: function arrow", "11: function old", "12: function main"],
        ),
        (
            ".ts", TYPESCRIPT,
            ["2: interface Shape", "3: class Box", "4:   function open", "6: function same", "7: type Name",
             "8: enum Color", "9: namespace Space", "9:   function inner", "10: function handle"],
        ),
        (".c", C, ["1: struct point", "3: function add", "6: function main"]),
        (
            ".go", "package main\nfunc main() {}\nfunc (s *S) Do(x int) error {}\ntype S struct { A int }\n",
            ["2: function main", "3: function Do", "4: type S"],
        ),
        (
            ".rs", "pub struct S { a: i32 }\nimpl S { pub fn new() -> S { S { a: 1 } } }\ntrait T { fn t(&self); }\n",
            ["1: struct S", "2: impl S", "2:   function new", "3: trait T", "3:   function t"],
        ),
        (
            ".java", "class A extends B {\n  public A() {}\n  public void run(int a) { go(a); }\n}\nenum E { X }\n",
            ["1: class A", "2:   function A", "3:   function run", "5: enum E"],
        ),
        (
            ".rb", "module M\n  class Foo < Bar\n    def run?(x)\n    end\n    def self.make; end\n  end\nend\n",
            ["1: module M", "2: class Foo", "3: function run?", "5: function self.make"],
        ),
        (".php", "<?php\nclass Foo { public function bar($x) { baz(); } }\n", ["2: class Foo", "2:   function bar"]),
        (
            ".cs", "namespace N\n{\n  class Foo : Bar\n  {\n    public void Run(int a)\n    {\n    }\n  }\n}\n",
            ["1: namespace N", "3:   class Foo", "5:     function Run"],
        ),
        (".kt", "class Foo(val a: Int) { fun bar(): Int = 1 }\nobject O {}\n",
         ["1: class Foo", "1:   function bar", "2: object O"]),
        (".swift", "class Foo { func bar() {} }\nprotocol P {}\n",
         ["1: class Foo", "1:   function bar", "2: protocol P"]),
    ],
)  # fmt: skip
def test_what_a_file_declares_is_listed_with_its_line_and_depth(suffix: str, text: str, rows: list[str]) -> None:
    assert outline_code(text, LANGUAGES[suffix]) == rows


@given(
    st.lists(
        st.sampled_from(["class", "function", "type", "func", "const", "=>", "def", "name", "'x'", *"=(){}<>:;\n"])
    ),
    st.sampled_from(sorted(set(LANGUAGES.values()))),
)
def test_no_jumble_of_words_breaks_it(words: list[str], language: str) -> None:
    for row in outline_code(" ".join(words), language):
        assert row.partition(": ")[0].isdecimal()


def test_a_huge_file_is_looked_at_in_part_and_says_so() -> None:
    rows = outline_code("x = 1\n" * 100_000, "javascript")
    assert rows == ["[only the first 87,381 lines were looked at]"]
