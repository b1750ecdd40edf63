import { CodecError } from "./error.ts";
import type { Path } from "./types.ts";

// More than any document has that passed `validate`, far less than a stack holds.
const DEEPEST = 1000;

/** A value that is still to be looked at, and the steps that lead to it. */
interface Step {
  readonly value: unknown;
  readonly index: number;
  readonly around: Step | undefined;
  readonly depth: number;
}

type JsonObject = { readonly [key: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws `INVALID_DOC` for what is not a string. */
export function requireText(value: unknown, name: string): void {
  if (typeof value !== "string") throw new CodecError("INVALID_DOC", `Expected ${name} as a string.`);
}

/**
 * Throws `INVALID_DOC` for what has not the shape of a tree of nodes, and `NESTING` for one that is deeper than a stack
 * holds. Types, attributes and places are not looked at: after this check any walk of the tree is safe.
 */
export function requireTree(root: unknown): void {
  const steps: Step[] = [{ value: root, index: 0, around: undefined, depth: 0 }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { value, depth } = step;
    if (!isNode(value)) throw new CodecError("INVALID_DOC", "The value is not a node.", { path: pathOf(step) });
    const { content } = value;
    if (content === undefined) continue;
    if (depth >= DEEPEST) throw new CodecError("NESTING", `Nodes are nested deeper than ${DEEPEST}.`, { path: [] });
    for (let index = content.length - 1; index >= 0; index--) {
      steps.push({ value: content[index], index, around: step, depth: depth + 1 });
    }
  }
}

function isNode(value: unknown): value is { readonly content?: readonly unknown[] } {
  if (!isObject(value) || typeof value.type !== "string") return false;
  const { content, marks, attrs, text } = value;
  return (
    (content === undefined || Array.isArray(content)) &&
    (attrs === undefined || isObject(attrs)) &&
    (marks === undefined || (Array.isArray(marks) && marks.every(isMark))) &&
    (value.type === "text" ? typeof text === "string" : text === undefined)
  );
}

function isMark(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string" && (value.attrs === undefined || isObject(value.attrs));
}

function pathOf(step: Step): Path {
  const path: (string | number)[] = [];
  for (let { index, around } = step; around; { index, around } = around) path.unshift("content", index);
  return path;
}
