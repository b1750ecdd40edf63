import type { ItemRow, Row } from "./rows.ts";

/** The effect of a key in the tree (APG, tree view). */
export type KeyEffect =
  | { readonly to: "focus"; readonly index: number }
  | { readonly to: "open" | "close"; readonly row: ItemRow }
  | undefined;

/** Rows that Page Up and Page Down pass over. */
const pageRows = 12;

/** Returns the effect of a key on the row at `index`. In a page from right to left, the arrows change sides. */
export function effectOfKey(key: string, rows: readonly Row[], index: number, isRightToLeft: boolean): KeyEffect {
  const [forwards, backwards] = isRightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  if (key === forwards) return inwards(rows, index);
  if (key === backwards) return outwards(rows, index);
  if (key === "ArrowDown") return focusFrom(rows, index + 1, 1);
  if (key === "ArrowUp") return focusFrom(rows, index - 1, -1);
  if (key === "Home") return focusFrom(rows, 0, 1);
  if (key === "End") return focusFrom(rows, rows.length - 1, -1);
  if (key === "PageDown") return focusFrom(rows, Math.min(rows.length - 1, index + pageRows), -1);
  if (key === "PageUp") return focusFrom(rows, Math.max(0, index - pageRows), 1);
  return undefined;
}

/** Moves to the nearest row from a place on that can have the focus. */
function focusFrom(rows: readonly Row[], start: number, step: 1 | -1): KeyEffect {
  for (let index = start; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.kind === "item") return { to: "focus", index };
  }
  return undefined;
}

function inwards(rows: readonly Row[], index: number): KeyEffect {
  const row = rows[index];
  if (row?.kind !== "item" || row.isOpen === undefined) return undefined;
  if (!row.isOpen) return { to: "open", row };
  const below = rows[index + 1];
  return below?.kind === "item" && below.parentKey === row.key ? { to: "focus", index: index + 1 } : undefined;
}

function outwards(rows: readonly Row[], index: number): KeyEffect {
  const row = rows[index];
  if (row?.kind !== "item") return undefined;
  if (row.isOpen === true) return { to: "close", row };
  const above = rows.findIndex(({ key }) => key === row.parentKey);
  return above < 0 ? undefined : { to: "focus", index: above };
}

/**
 * Returns the next row whose title begins with what was typed, from the row at `index` on and around the end. One letter
 * that is typed again goes on to the next such row.
 */
export function rowOfTyped(rows: readonly Row[], index: number, typed: string, locale: string): number | undefined {
  const isRepeated = [...typed].every((letter) => letter === typed[0]);
  const wanted = (isRepeated ? (typed[0] ?? "") : typed).toLocaleLowerCase(locale);
  const first = isRepeated ? index + 1 : index;
  for (let step = 0; step < rows.length; step += 1) {
    const place = (first + step) % rows.length;
    const row = rows[place];
    if (row?.kind === "item" && row.title.toLocaleLowerCase(locale).startsWith(wanted)) return place;
  }
  return undefined;
}
