import { CodecError } from "./error.ts";
import type { KnownBlocks } from "./known-blocks.ts";

// More than any document has that passed `validate`, far less than a stack holds.
const DEEPEST = 1000;

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
 * holds. Types, attributes and places are not looked at: after this check any walk of the tree is safe. Blocks that are known are
 * not looked at again.
 */
export function requireTree(root: unknown, known?: Pick<KnownBlocks, "unknown">): void {
  const wrong = findNoNode(known ? known.unknown(root) : root, 0);
  if (wrong) throw new CodecError("INVALID_DOC", "The value is not a node.", { path: wrong.reverse() });
}

// The path to the first value that is not a node, from its end; undefined where there is none.
function findNoNode(value: unknown, depth: number): (string | number)[] | undefined {
  if (!isNode(value)) return [];
  const { content } = value;
  if (content === undefined) return undefined;
  if (depth >= DEEPEST) throw new CodecError("NESTING", `Nodes are nested deeper than ${DEEPEST}.`, { path: [] });
  for (let index = 0; index < content.length; index++) {
    const wrong = findNoNode(content[index], depth + 1);
    if (wrong === undefined) continue;
    wrong.push(index, "content");
    return wrong;
  }
  return undefined;
}

function isNode(value: unknown): value is { readonly content?: readonly unknown[] } {
  if (!isObject(value) || typeof value.type !== "string") return false;
  const { content, marks, attrs, text } = value;
  if (value.type === "text" ? typeof text !== "string" : text !== undefined) return false;
  if (content !== undefined && !Array.isArray(content)) return false;
  return (attrs === undefined || isObject(attrs)) && (marks === undefined || areMarks(marks));
}

function areMarks(marks: unknown): boolean {
  if (!Array.isArray(marks)) return false;
  for (let index = 0; index < marks.length; index++) if (!isMark(marks[index])) return false;
  return true;
}

function isMark(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string" && (value.attrs === undefined || isObject(value.attrs));
}
