/** The style of the pages here: one calm card, light or dark as the reader's system is; no font, no picture to load. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f4ef, #131517);
  --card: light-dark(#ffffff, #1b1e22);
  --ink: light-dark(#20262c, #e2e5e9);
  --quiet: light-dark(#5c646d, #a0a8b1);
  --line: light-dark(#8a8f96, #6d757e);
  --edge: light-dark(#e4e0d8, #2b3036);
  --accent: light-dark(#0b6b5f, #6cc9b8);
  --on-accent: light-dark(#ffffff, #0d1b19);
  --alarm: light-dark(#9b2c33, #f0a0a5);
  --alarm-paper: light-dark(#fbf0ef, #2a1c1e);
}
* { box-sizing: border-box; }
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
h1 { margin: 0 0 0.35rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
form { margin: 1.25rem 0 0; }
label { display: block; margin: 0 0 0.3rem; font-weight: 600; font-size: 0.94rem; }
input:not([type="hidden"]) {
  width: 100%; margin: 0 0 1.1rem; padding: 0.65rem 0.75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: 8px;
}
input[aria-invalid="true"] { border-color: var(--alarm); }
button, .button {
  display: block; width: 100%; padding: 0.7rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; cursor: pointer;
}
.button.second { color: var(--ink); background: transparent; border-color: var(--line); }
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
