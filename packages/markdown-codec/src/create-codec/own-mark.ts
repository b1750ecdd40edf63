import { cleanLine } from "../normal/text.ts";
import { holdsDataImage } from "../raw.ts";
import type { Attrs, MarkJSON } from "../types.ts";
import { type AttributeRules, attributeRules } from "./attributes.ts";
import type { MarkDefinition } from "./definition.ts";
import { LONGEST, translated } from "./translate.ts";

const IN_BRACES = /^\{([^{}\n]*)\}/;

/** A mark of an integrator, ready for use. */
export interface OwnMark {
  readonly name: string;
  readonly delimiter: string;
  readonly rules: AttributeRules;
  readonly definition: MarkDefinition;
  /** True for a mark whose beginning says its attributes. */
  readonly hasSource: boolean;
  /** The source in braces that a text begins with; undefined where it says no attributes of this mark. */
  sourceAt(text: string): string | undefined;
  /** The beginning with these attributes; undefined where Markdown cannot hold them. */
  openingOf(attrs: Attrs | undefined): string | undefined;
  /** The mark that this beginning opens. */
  markOf(opening: string): MarkJSON;
}

/** Makes the definition of a mark ready for use. */
export function ownMarkOf(definition: MarkDefinition): OwnMark {
  const { name, spec = {}, markdown } = definition;
  const { delimiter, read, write } = markdown;
  const rules = attributeRules(spec.attrs);
  const plain = { name, delimiter, rules, definition };
  if (!read) {
    const markOf = (): MarkJSON => ({ type: name });
    return { ...plain, hasSource: false, sourceAt: () => undefined, openingOf: () => delimiter, markOf };
  }
  const canHold = (source: string): boolean =>
    source.length <= LONGEST && !/[{}]/.test(source) && cleanLine(source) === source && !holdsDataImage(source);
  const { attrsOf, sourceOf } = translated(name, rules, { read, write }, canHold);
  return {
    ...plain,
    hasSource: true,
    sourceAt(text) {
      const [whole, source] = IN_BRACES.exec(text.slice(0, LONGEST + 2)) ?? [];
      return source !== undefined && sourceOf(attrsOf(source)) === source ? whole : undefined;
    },
    openingOf(attrs) {
      const source = sourceOf(attrs);
      return source === undefined ? undefined : `${delimiter}{${source}}`;
    },
    markOf: (opening) => ({ type: name, attrs: attrsOf(opening.slice(delimiter.length + 1, -1)) ?? {} }),
  };
}

/** True for the sign at the beginning or the end of this mark. */
export function isSignOf(mark: OwnMark, source: string): boolean {
  const { delimiter, hasSource } = mark;
  if (source === delimiter) return true;
  const rest = source.slice(delimiter.length);
  return hasSource && source.startsWith(delimiter) && mark.sourceAt(rest) === rest;
}
