"""The style sheet of the HTML export: everything that the page needs, in light and dark, and nothing from elsewhere."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark;
  --canvas:#f6f7f9; --surface:#fff; --raised:#fbfcfd; --border:#d9dde4; --text:#1b1f26;
  --text2:#525b6a; --text3:#667085; --accent:#1f6feb; --waiting:#8f5a00; --done:#1a7f4b; --released:#0e7c7b;
  --bad:#c62f3a; --running:#6f42c1; --off:#667085; --code:#f2f4f7; }
@media (prefers-color-scheme: dark) { :root {
  --canvas:#14161a; --surface:#1a1d23; --raised:#21252d; --border:#2d323c; --text:#e6e8ec;
  --text2:#a7aebb; --text3:#8a93a1; --accent:#6ea8fe; --waiting:#f5b84b; --done:#5cc98a; --released:#4cc4c4;
  --bad:#f2777a; --running:#b48cff; --off:#8a93a3; --code:#101216; } }
* { box-sizing: border-box; }
body { margin:0; background:var(--canvas); color:var(--text);
  font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif; }
main { max-width:860px; margin:0 auto; padding:32px 24px 64px; }
header.conversation { border-bottom:1px solid var(--border); padding-bottom:16px; margin-bottom:24px; }
section + section header.conversation { margin-top:72px; }
h1 { font-size:24px; line-height:1.3; margin:0 0 8px; overflow-wrap:anywhere; }
.facts { color:var(--text2); font-size:13px; display:flex; flex-wrap:wrap; gap:4px 16px; }
.tag { border:1px solid var(--border); border-radius:4px; padding:0 6px; color:var(--text2); }
.hidden-note { margin-top:10px; font-size:13px; color:var(--text3); }
article { margin:0 0 20px; }
article > .who { font-size:13px; color:var(--text2); margin-bottom:4px; display:flex; gap:8px; align-items:baseline; }
article > .who b { color:var(--text); font-weight:600; }
article > .who time { margin-left:auto; color:var(--text3); font-variant-numeric:tabular-nums; }
article.user > .body { background:var(--surface); border:1px solid var(--border); border-radius:8px;
  padding:10px 16px; }
.body { overflow-wrap:anywhere; }
.body > :first-child { margin-top:0; } .body > :last-child { margin-bottom:0; }
p, ul, ol, table, blockquote { margin:0 0 12px; }
pre, code { font-family:ui-monospace,"JetBrains Mono","SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
  font-size:13px; }
code { background:var(--code); border-radius:4px; padding:1px 4px; }
pre { background:var(--code); border:1px solid var(--border); border-radius:6px; padding:10px 12px; margin:0 0 12px;
  overflow:auto; max-height:480px; white-space:pre-wrap; overflow-wrap:anywhere; line-height:1.5; }
pre code { background:none; padding:0; }
table { border-collapse:collapse; } th, td { border:1px solid var(--border); padding:4px 10px; text-align:left; }
th { font-weight:600; } td.number, th.number { text-align:right; font-variant-numeric:tabular-nums; }
.inside table { font-size:13px; margin:0; background:var(--surface); } .inside th { color:var(--text2); }
.wide { overflow:auto; max-height:480px; margin:0 0 12px; }
.said { margin:0 0 12px; } .said > :last-child { margin-bottom:0; }
pre.diff { padding:8px 0; } pre.diff .line { display:block; padding:0 12px; }
.diff .added { background:color-mix(in srgb, var(--done) 16%, transparent); color:var(--done); }
.diff .removed { background:color-mix(in srgb, var(--bad) 16%, transparent); color:var(--bad); }
.diff .head { font-weight:600; } .diff .place { color:var(--accent); }
.bold { font-weight:700; } .faint { opacity:.7; } .underline { text-decoration:underline; }
.c-text3 { color:var(--text3); } .c-text2 { color:var(--text2); } .c-accent, .ink-blue { color:var(--accent); }
.c-executing, .ink-magenta { color:var(--running); } .c-released, .ink-cyan { color:var(--released); }
.c-completed, .ink-green { color:var(--done); } .c-denied, .ink-red { color:var(--bad); }
.ink-yellow { color:var(--waiting); } .ink-black { color:var(--text3); } .ink-white { color:var(--text); }
.ground-red { background:color-mix(in srgb, var(--bad) 30%, transparent); }
.ground-green { background:color-mix(in srgb, var(--done) 30%, transparent); }
.ground-yellow { background:color-mix(in srgb, var(--waiting) 30%, transparent); }
.ground-blue, .ground-cyan { background:color-mix(in srgb, var(--accent) 30%, transparent); }
.ground-magenta { background:color-mix(in srgb, var(--running) 30%, transparent); }
.ground-black, .ground-white { background:var(--border); }
blockquote { border-left:3px solid var(--border); margin-left:0; padding-left:14px; color:var(--text2); }
a { color:var(--accent); }
img { max-width:100%; border-radius:6px; border:1px solid var(--border); }
details > summary { cursor:pointer; color:var(--text2); font-size:13px; padding:2px 0; }
details.reasoning { border-left:3px solid var(--border); padding-left:14px; margin:0 0 12px; color:var(--text2); }
details.call { background:var(--raised); border:1px solid var(--border); border-left:3px solid var(--off);
  border-radius:6px; margin:0 0 12px; }
details.call > summary { display:flex; gap:10px; padding:8px 12px; color:var(--text); list-style-position:inside; }
details.call > summary .state { margin-left:auto; color:var(--off); font-size:12px; }
details.call > .inside { padding:0 12px 2px; }
details.call .label { font-size:12px; color:var(--text3); margin:4px 0; }
details.call .label.c-denied { color:var(--bad); }
details.done { border-left-color:var(--done); } details.done .state { color:var(--done) !important; }
details.released { border-left-color:var(--released); } details.released .state { color:var(--released) !important; }
details.messages { margin:0 0 8px; } details.messages > summary { font-size:12px; color:var(--text3); }
details.message { margin-left:16px; } details.message > summary { font-size:12px; }
details.bad { border-left-color:var(--bad); } details.bad .state { color:var(--bad) !important; }
.remark { font-size:12px; color:var(--text3); margin:-8px 0 20px; }
.remark.error { color:var(--bad); border:1px solid var(--bad); border-radius:6px; padding:8px 12px; margin:0 0 20px;
  font-size:14px; }
footer { margin-top:48px; border-top:1px solid var(--border); padding-top:12px; font-size:12px; color:var(--text3); }
@media print { pre { max-height:none; } details.call { break-inside:avoid; } }
"""
