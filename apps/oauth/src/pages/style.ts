/**
 * The style of the pages: one card, light or dark like the user's system; it loads no fonts or images. Its colors are those
 * of the app, which a test compares.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f4ef, #131517);
  --card: light-dark(#ffffff, #1b1e22);
  --ink: light-dark(#20262c, #e2e5e9);
  --quiet: light-dark(#5c646d, #a0a8b1);
  --line: light-dark(#80858c, #6d757e);
  --edge: light-dark(#e4e0d8, #2b3036);
  --accent: light-dark(#0b6b5f, #6cc9b8);
  --on-accent: light-dark(#ffffff, #0d1b19);
  --alarm: light-dark(#9b2c33, #f0a0a5);
  --alarm-paper: light-dark(#fbf0ef, #2a1c1e);
  --warn: light-dark(#7a4f0c, #e3b663);
  --warn-paper: light-dark(#fdf6e7, #29231a);
}
* { box-sizing: border-box; }
svg { max-width: 100%; height: auto; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main {
  width: 100%; max-width: 25rem; padding: 2rem; background: var(--card);
  border: 1px solid var(--edge); border-radius: 14px; box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px rgb(0 0 0 / 5%);
}
main:has(fieldset) { max-width: 30rem; }
h1 { margin: 0 0 0.5rem; text-wrap: balance; overflow-wrap: anywhere; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; text-wrap: pretty; }
.quiet { color: var(--quiet); }
form { margin: 1.25rem 0 0; }
label { display: block; margin: 0 0 0.3rem; font-weight: 600; font-size: 0.94rem; }
input:is([type="email"], [type="password"], [type="text"]) {
  width: 100%; margin: 0 0 1.1rem; padding: 0.65rem 0.75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: 8px;
}
input[readonly] { background: var(--paper); }
.hint { margin: -0.8rem 0 1.1rem; color: var(--quiet); font-size: 0.875rem; }
input[aria-invalid="true"] { border-color: var(--alarm); }
.mark { display: flex; align-items: center; gap: 0.6rem; margin: 0 0 1.15rem; }
.tile {
  display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: 12px;
  font-size: 1.2rem; font-weight: 700; color: var(--ink); background: var(--paper); border: 1px solid var(--edge);
}
.tile.own { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
img.tile { object-fit: contain; }
.wire { width: 2rem; border-top: 2px dotted var(--line); }
dl { margin: 1.2rem 0; border-top: 1px solid var(--edge); }
dl > div { display: flex; gap: 0.25rem 1rem; flex-wrap: wrap; align-items: baseline; padding: 0.65rem 0; border-bottom: 1px solid var(--edge); }
dt { flex: 0 0 6.5rem; color: var(--quiet); font-size: 0.94rem; }
dd { flex: 1 1 12rem; margin: 0; min-width: 0; overflow-wrap: anywhere; }
code { direction: ltr; unicode-bidi: isolate; font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.92em; overflow-wrap: anywhere; }
dd code { font-weight: 600; }
.note {
  margin: 1.1rem 0; padding: 0.7rem 0.85rem; font-size: 0.94rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--edge); border-radius: 8px;
}
.note.alert { background: var(--warn-paper); border-color: var(--warn); }
.small { font-size: 0.875rem; margin: 1rem 0 0; }
main > :last-child { margin-bottom: 0; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin: 0 0 0.5rem; font-weight: 600; font-size: 0.94rem; }
.choice {
  display: flex; gap: 0.7rem; margin: 0 0 0.6rem; padding: 0.75rem 0.85rem; font-size: 1rem; font-weight: 400;
  border: 1px solid var(--line); border-radius: 10px; cursor: pointer;
}
.choice > span { min-width: 0; }
.choice .name { display: block; font-weight: 600; }
.choice .quiet { display: block; font-size: 0.94rem; }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0.2rem 0 0; accent-color: var(--accent); }
.choice:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice:has(input:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice input:focus-visible { outline: none; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1.1rem 0 0; }
.buttons > * { flex: 1 1 8rem; }
.stack { display: grid; gap: 0.6rem; margin: 1.25rem 0 0; }
button, .button {
  display: block; width: 100%; padding: 0.7rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; cursor: pointer;
}
[hidden] { display: none; }
.second { color: var(--ink); background: transparent; border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); text-underline-offset: 0.2em; }
.problem {
  margin: 1.1rem 0 0; padding: 0.7rem 0.85rem; color: var(--alarm); background: var(--alarm-paper);
  border: 1px solid currentcolor; border-radius: 8px;
}
.or { display: flex; align-items: center; gap: 0.75rem; margin: 1.25rem 0; color: var(--quiet); font-size: 0.9rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--edge); }
@media (max-width: 24rem) { main { padding: 1.4rem 1.15rem; } }
@media (prefers-reduced-motion: no-preference) { button, .button { transition: filter 120ms; } }
@media (forced-colors: active) { button, .button { border: 2px solid ButtonText; } }
`;
