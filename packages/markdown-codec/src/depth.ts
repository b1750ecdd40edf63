import { CodecError } from "./error.ts";

// More than any document has that passed `validate`, far less than a stack holds.
const DEEPEST = 1000;

/** The depth below `depth`, for whoever walks a document that nobody checked. Throws `NESTING`. */
export function below(depth: number): number {
  if (depth > DEEPEST) throw new CodecError("NESTING", `Nodes are nested deeper than ${DEEPEST}.`, { path: [] });
  return depth + 1;
}
