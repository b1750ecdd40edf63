/** The style sheet of the landing page and the documentation. Follows the light or dark mode of the system; loads no font. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #16181b);
  --raised: light-dark(#f5f3ee, #1d2024);
  --ink: light-dark(#24292f, #d8dce1);
  --quiet: light-dark(#626a73, #959da6);
  --line: light-dark(#e4e0d8, #2e3339);
  --accent: light-dark(#0b6b5f, #6cc9b8);
  --get: light-dark(#1d5f8a, #7dbbe2);
  --post: light-dark(#2c6e33, #86c98c);
  --patch: light-dark(#8a5a10, #dcae63);
  --delete: light-dark(#a3343b, #ea9095);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.5rem; letter-spacing: -0.01em; }
h2 { font-size: 1.35rem; margin: 3.5rem 0 1rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2rem 0 0.5rem; }
h4 { font-size: 0.8rem; margin: 1.4rem 0 0.4rem; color: var(--quiet); font-weight: 600; letter-spacing: 0.04em; text-transform: uppercase; }
p { margin: 0 0 0.9rem; max-width: 68ch; }
code { font-family: var(--mono); font-size: 0.875em; background: var(--raised); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre {
  margin: 0.6rem 0 1rem; padding: 0.85rem 1rem; background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; font-size: 0.85rem; line-height: 1.55; tab-size: 2;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
pre code { background: none; padding: 0; font-size: inherit; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; font-size: 0.82rem; }
td:first-child, td code { white-space: nowrap; }
.quiet { color: var(--quiet); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem; }
.page { display: grid; grid-template-columns: 15.5rem minmax(0, 50rem); gap: 3.5rem; max-width: 74rem; margin: 0 auto; padding: 0 1.5rem; }
.page > nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2.2rem 0 2rem; font-size: 0.92rem; }
nav summary { display: none; }
nav ul { list-style: none; margin: 0 0 1.1rem; padding: 0; }
nav li { margin: 0; }
nav li a { display: block; padding: 0.16rem 0; color: var(--ink); text-decoration: none; }
nav li a:hover { color: var(--accent); }
nav .group { color: var(--quiet); font-size: 0.78rem; font-weight: 600; letter-spacing: 0.04em; text-transform: uppercase; margin: 0 0 0.25rem; }
nav .brand { font-weight: 650; margin: 0 0 1.4rem; }
nav .brand a { color: var(--ink); text-decoration: none; }
nav li a[aria-current] { color: var(--accent); font-weight: 600; }
nav [hidden] { display: none !important; }
#search input {
  width: 100%; padding: 0.4rem 0.6rem; font: inherit; color: var(--ink); background: var(--raised);
  border: 1px solid var(--quiet); border-radius: 6px;
}
#search input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#matches { min-height: 1.4em; margin: 0.2rem 0 0.6rem; font-size: 0.82rem; }
.block { position: relative; }
.copy {
  position: absolute; bottom: calc(100% + 0.3rem); inset-inline-end: 0; padding: 0.15rem 0.6rem; font: inherit; font-size: 0.78rem; cursor: pointer;
  color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: 6px;
}
details > summary { cursor: pointer; }
main details > summary { color: var(--accent); font-size: 0.9rem; margin-bottom: 0.4rem; }
main { padding: 2.2rem 0 6rem; min-width: 0; }
.operation { margin: 0 0 2.6rem; padding-top: 0.4rem; }
.operation > h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.5rem; margin-bottom: 0.2rem; }
.operation > h3 a { color: inherit; text-decoration: none; }
.operation > h3 a:hover { text-decoration: underline; }
.line { font-family: var(--mono); font-size: 0.88rem; margin: 0 0 0.7rem; overflow-wrap: anywhere; }
.method { font-family: var(--mono); font-size: 0.75rem; font-weight: 700; letter-spacing: 0.03em; margin-right: 0.35rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.tag { font-size: 0.75rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 99px; padding: 0 0.55rem; font-weight: 500; }
:target > h3, h2:target, h3:target { color: var(--accent); }
.card { max-width: 40rem; margin: 14vh auto 4rem; padding: 0 1.5rem; }
.card .links { display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; padding: 0; margin: 1.6rem 0; list-style: none; }
@media (max-width: 60rem) {
  .page { display: block; }
  .page > nav { position: static; height: auto; padding: 1.2rem 0 0; }
  nav summary { display: block; cursor: pointer; padding: 0.5rem 0; color: var(--accent); }
  main { padding-top: 1rem; }
  h1 { font-size: 1.6rem; }
  thead { display: none; }
  tr { display: block; padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
  td { display: block; padding: 0; border: 0; }
  td:first-child, td code { white-space: normal; }
}
@media (min-width: 60.01rem) { nav details > :not(summary) { display: block; } nav details::details-content { content-visibility: visible; display: block; } }
@media print { nav { display: none; } .page { display: block; } }
`;
