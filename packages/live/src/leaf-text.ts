import type { Node } from "prosemirror-model";
import { AttrStep, type Step } from "prosemirror-transform";
import { textOfAttribute } from "./written-attribute.ts";

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

/** True where the next step writes the same attribute again, as each key in a field does. */
export const isWrittenAgain = (step: Step, next: Step | undefined): boolean =>
  step instanceof AttrStep && next instanceof AttrStep && next.pos === step.pos && next.attr === step.attr;
