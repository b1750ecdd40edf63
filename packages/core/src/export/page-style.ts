import { formulaStyle } from "@kb/formulas";

/** The style sheet of every exported page. It loads nothing, and supports light and dark mode and print. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5a6169; --line: #d5d9de; --tint: #f3f5f7; --link: #0b5cad;
  --mark: #fff3b0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a7aeb6; --line: #3d444c; --tint: #22272d;
  --link: #7cb8ff; --mark: #5c4b00; } body { background: #15181c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; color: var(--ink); line-height: 1.6;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 0.5em; }
h1 { font-size: 1.9rem; margin-top: 0.6em; }
a { color: var(--link); text-decoration: underline; }
nav, .facts { color: var(--soft); font-size: 0.9rem; }
.facts { margin: 0 0 2rem; border-bottom: 1px solid var(--line); padding-bottom: 0.75rem; }
img { max-width: 100%; height: auto; }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9em; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem;
  white-space: pre-wrap; }
:not(pre) > code { background: var(--tint); border-radius: 4px; padding: 0.1em 0.3em; }
blockquote { margin: 1em 0; padding: 0 1rem; border-inline-start: 4px solid var(--line); color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: start; vertical-align: top; }
th { background: var(--tint); }
.left { text-align: left; } .center { text-align: center; } .right { text-align: right; }
mark { background: var(--mark); color: inherit; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
.task-list { list-style: none; padding-inline-start: 0.5rem; }
.footnote { font-size: 0.9rem; border-top: 1px solid var(--line); margin-top: 1rem; }
.index { list-style: none; padding-inline-start: 0; } .index .index { padding-inline-start: 1.5rem; }
${formulaStyle}@media print { body { max-width: none; padding: 0; } nav { display: none; } }
`;
