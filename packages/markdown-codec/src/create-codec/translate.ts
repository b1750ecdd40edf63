import { CodecError } from "../error.ts";
import { withExtension } from "../syntax/extension.ts";
import type { Attrs } from "../types.ts";
import { type AttributeRules, completeAttrs, sameAttrs } from "./attributes.ts";
import type { Translation } from "./definition.ts";

/** The most characters that a construct within a line, or of one line, may have between its signs. */
export const LONGEST = 1_000;

/** Both ways between attributes and the part of the Markdown that says them. */
export interface Translated<Source> {
  /** The attributes that a source says; undefined where it is not this node or mark. */
  attrsOf(source: Source): Attrs | undefined;
  /** The source that says these attributes; undefined where none does. */
  sourceOf(attrs: Attrs | undefined): Source | undefined;
}

/** Makes the translation of a definition safe: what it writes is what it reads, and Markdown can hold it. */
export function translated<Source extends string | null>(
  name: string,
  rules: AttributeRules,
  { read, write }: Translation<Source>,
  canHold: (source: Source) => boolean,
): Translated<Source> {
  const attrsOf = (source: Source): Attrs | undefined => {
    const given = called(name, "read", () => read(source));
    return given === undefined ? undefined : completeAttrs(rules, given);
  };
  const sourceOf = (given: Attrs | undefined): Source | undefined => {
    const attrs = completeAttrs(rules, given);
    const source = attrs && called(name, "write", () => write(attrs));
    if (attrs === undefined || !isSource(source) || !canHold(source)) return undefined;
    const again = attrsOf(source);
    return again && sameAttrs(again, attrs) ? source : undefined;
  };
  return { attrsOf, sourceOf };
}

// JavaScript can return anything.
function isSource<Source>(source: Source | undefined): source is Source {
  return source === null || typeof source === "string";
}

/** Runs a function of an integrator, as if outside of this codec. @throws CodecError `INVALID_DEFINITION` where it fails */
export function called<Result>(name: string, part: string, run: () => Result): Result {
  try {
    return withExtension(undefined, run);
  } catch (error) {
    if (error instanceof CodecError) throw error;
    throw new CodecError("INVALID_DEFINITION", `\`${part}\` of ${name} failed: ${String(error)}`);
  }
}
