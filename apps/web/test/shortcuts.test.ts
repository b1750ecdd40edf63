import { expect, it } from "vitest";
import { type shortcutAreas, shortcuts, shortcutsOf, shownKeys } from "../src/client/app/shortcuts.ts";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";

it("no two shortcuts of one place have the same keys, and none begins another", {
  meta: { proves: ["web.keys"] },
}, () => {
  const keysOf = (area: (typeof shortcutAreas)[number]): string[] => shortcutsOf(area).flatMap(({ keys }) => keys);
  for (const area of ["reading", "writing"] as const) {
    const keys = [...keysOf("anywhere"), ...keysOf(area)];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((one) => keys.some((other) => other.startsWith(`${one} `)))).toEqual([]);
  }
  // The text takes its keys before the page does.
  const keys = [...keysOf("writing"), ...keysOf("text")];
  expect(new Set(keys).size).toBe(keys.length);
});

it("every shortcut has a name in each language, and keys as the reader's system names them", () => {
  for (const { label } of Object.values(shortcuts)) expect([en[label], ar[label]].every(Boolean), label).toBe(true);
  expect(shownKeys(shortcuts.edit, "apple")).toEqual([["E"], ["⌘↩"]]);
  expect(shownKeys(shortcuts.edit, "other")).toEqual([["E"], ["Ctrl Enter"]]);
  expect(shownKeys(shortcuts.tableRow, "apple")).toEqual([["⌃⌘↑"], ["⌃⌘↓"]]);
  expect(shownKeys(shortcuts.tableRow, "other")).toEqual([["Alt Shift ↑"], ["Alt Shift ↓"]]);
  expect(shownKeys(shortcuts.home, "other")).toEqual([["G", "H"]]);
});

it("the list for the text says what Ctrl+A selects in a table", { meta: { proves: ["web.keys"] } }, () => {
  const shown = shortcutsOf("text").find(({ keys }) => keys.includes("Mod+A"));
  expect(shown && en[shown.label]).toMatch(/cell.*table/);
});
