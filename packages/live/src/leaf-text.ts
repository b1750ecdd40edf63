import type { Node } from "prosemirror-model";
import { AttrStep, type Step } from "prosemirror-transform";

/** The attributes of leaves in which people write: the source of raw constructs, and the LaTeX of formulas. */
const written: ReadonlySet<string> = new Set(["source", "latex"]);
/** Those that tell a reader what a leaf was. */
const told = ["source", "latex", "label", "src"];

/** Returns what a leaf was written as, such as its source or the address of an image; else U+FFFC. */
export function leafText({ attrs }: Node): string {
  for (const name of told) {
    const value: unknown = attrs[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "\uFFFC";
}

/** Returns the text that a step writes into an attribute; null for any other step. */
export const writtenText = (step: Step): string | null =>
  step instanceof AttrStep ? textOfAttribute(step.attr, step.value) : null;

/** Returns the value of an attribute in which people write; null for any other. */
export const textOfAttribute = (name: unknown, value: unknown): string | null =>
  typeof name === "string" && written.has(name) && typeof value === "string" ? value : null;

/** True where the next step writes the same attribute again, as each key in a field does. */
export const isWrittenAgain = (step: Step, next: Step | undefined): boolean =>
  step instanceof AttrStep && next instanceof AttrStep && next.pos === step.pos && next.attr === step.attr;
