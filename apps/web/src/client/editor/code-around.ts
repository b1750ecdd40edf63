import type { Node } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import { codeLanguages, languageNamed, languageOf } from "../reading/code-languages.ts";
import { type TrackedPlace, trackPlace } from "./tracked-places.ts";

/** A block of code: its node, and where it begins. */
export type CodeAt = { readonly node: Node; readonly at: number };

/** Returns the block of code that has a position in its text; null where there is none. */
export function codeIn(doc: Node, position: number): CodeAt | null {
  const $position = doc.resolve(position);
  return $position.parent.type.name === "codeBlock" ? { node: $position.parent, at: $position.before() } : null;
}

/** Follows a block of code while others write. */
export const trackCode = (view: EditorView, { node, at }: CodeAt): TrackedPlace =>
  trackPlace(view, at, at + node.nodeSize);

/** Returns the name of the language of a block of code; `plain` without one. */
export function languageNameOf({ attrs: { language } }: Node, plain: string): string {
  const word = String(language ?? "").split(" ")[0] ?? "";
  const known = languageNamed(languageOf(word));
  return known === undefined ? word || plain : codeLanguages[known];
}
