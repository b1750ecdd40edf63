import { cleanLine, cleanText } from "../normal/text.ts";
import { holdsDataImage } from "../raw.ts";
import type { Attrs, NodeJSON } from "../types.ts";
import { type AttributeRules, attributeRules } from "./attributes.ts";
import type { NodeDefinition, Translation } from "./definition.ts";
import type { OwnMark } from "./own-mark.ts";
import { called, LONGEST, translated } from "./translate.ts";

// A longer code is code.
const LONGEST_CODE = 100_000;

/** The four ways in which Markdown can say a node. */
export type Form = "inline" | "line" | "fence" | "directive";

/** A node of an integrator, ready for use. Its source is the part of its Markdown that says its attributes. */
export interface Construct {
  readonly name: string;
  readonly form: Form;
  /** The signs or the word that it begins with, and the signs that it ends with. */
  readonly open: string;
  readonly close: string;
  readonly rules: AttributeRules;
  readonly definition: NodeDefinition;
  /** The attributes that a source says; undefined where it is not this node. */
  attrsOf(source: string | null): Attrs | undefined;
  /** The source that says these attributes; undefined where none does. */
  sourceOf(attrs: Attrs | undefined): string | null | undefined;
}

/** Everything that a codec has beside this package. */
export interface Constructs {
  readonly byName: ReadonlyMap<string, Construct>;
  readonly byFence: ReadonlyMap<string, Construct>;
  readonly byDirective: ReadonlyMap<string, Construct>;
  readonly marks: readonly OwnMark[];
}

/** The signs of a definition and what translates its source. */
export function partsOf({ markdown }: NodeDefinition): Pick<Construct, "form" | "open" | "close"> {
  if ("open" in markdown) return { form: "inline", open: markdown.open, close: markdown.close };
  if ("line" in markdown) return { form: "line", open: markdown.line, close: "" };
  if ("fence" in markdown) return { form: "fence", open: markdown.fence, close: "" };
  return { form: "directive", open: markdown.directive, close: "" };
}

// Guarantees that a translation is called only with sources of its form: a label may be null, no other source is.
function translationOf({ markdown }: NodeDefinition): Translation<string | null> {
  return markdown as Translation<string | null>;
}

/** Makes a definition ready for use. */
export function constructOf(definition: NodeDefinition): Construct {
  const { name, spec } = definition;
  const parts = partsOf(definition);
  const rules = attributeRules(spec.attrs);
  const { read, write } = translationOf(definition);
  const readShort = (source: string | null): Attrs | undefined =>
    source !== null && source.length > LONGEST_CODE ? undefined : read(source);
  const translation = translated(name, rules, { read: readShort, write }, (source) => canHold(source, parts));
  return { name, ...parts, rules, definition, ...translation };
}

// True for a source that Markdown gives back as it is between these signs.
function canHold(source: string | null, { form, close }: Pick<Construct, "form" | "close">): boolean {
  if (source === null) return form === "directive";
  if (holdsDataImage(source)) return false;
  if (form === "fence") return cleanText(source) === source;
  if (cleanLine(source) !== source) return false;
  if (form === "directive") return source !== "" && source.trim() === source && !/[[\]{}]/.test(source);
  if (source.length > LONGEST) return false;
  return form === "line" ? source.trimEnd() === source : (source + close).indexOf(close) === source.length;
}

/** The words of a node, or an empty string. */
export function wordsOf({ name, definition }: Construct, attrs: Attrs): string {
  return called(name, "text", () => definition.text?.(attrs) ?? "");
}

/** A node with these attributes; without the key where it has none. */
export function nodeOf({ name, rules }: Construct, attrs: Attrs): NodeJSON {
  return Object.keys(rules).length > 0 ? { type: name, attrs } : { type: name };
}
