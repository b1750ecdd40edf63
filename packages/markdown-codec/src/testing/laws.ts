import type { Codec } from "../create-codec/codec.ts";
import type { DocJSON, EmitOptions, ParseOptions } from "../types.ts";

/** The functions that the laws are about. */
export type LawfulCodec = Pick<Codec, "normalize" | "parseMarkdown" | "serializeMarkdown">;

/** A law that does not hold, with everything needed to see why. */
export class BrokenLaw extends Error {
  constructor(law: string, parts: Record<string, unknown>) {
    const shown = Object.entries(parts).map(([name, part]) => `${name}: ${JSON.stringify(part)}`);
    super(`${law}\n${shown.join("\n")}`);
    this.name = "BrokenLaw";
  }
}

/** True for two values that are the same as JSON, whatever the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = new Map(Object.entries(a));
  const right = new Map(Object.entries(b));
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
  );
}

/**
 * The laws of a text: what is read is in normal form, is read again the same after it was written, and what was
 * written is written the same again. Throws BrokenLaw; returns the document and its Markdown.
 */
export function holdsForText(
  text: string,
  options: ParseOptions,
  codec: LawfulCodec,
): { doc: DocJSON; markdown: string } {
  const doc = codec.parseMarkdown(text, options);
  const { doc: normal, changes } = codec.normalize(doc);
  if (changes.length > 0 || !isSameJson(normal, doc)) {
    throw new BrokenLaw("normalize(parse(text)) is parse(text)", { text, doc, normal, changes });
  }
  return { doc, markdown: survivesWriting(doc, { text, options }, {}, options, codec) };
}

/**
 * The laws of a document: normalising twice is normalising once, the normal form survives writing and reading, and
 * a document is written as its normal form is. Throws BrokenLaw; returns the normal form and its Markdown.
 */
export function holdsForDocument(
  doc: DocJSON,
  emit: EmitOptions,
  options: ParseOptions,
  codec: LawfulCodec,
): { doc: DocJSON; markdown: string } {
  const normal = codec.normalize(doc).doc;
  const again = codec.normalize(normal);
  if (again.changes.length > 0 || !isSameJson(again.doc, normal)) {
    throw new BrokenLaw("normalize is idempotent", { doc, normal, again });
  }
  const markdown = survivesWriting(normal, { doc, emit, options }, emit, options, codec);
  const direct = codec.serializeMarkdown(doc, { emit });
  if (direct !== markdown)
    throw new BrokenLaw("serialize(doc) is serialize(normalize(doc))", { doc, direct, markdown });
  return { doc: normal, markdown };
}

function survivesWriting(
  doc: DocJSON,
  origin: Record<string, unknown>,
  emit: EmitOptions,
  options: ParseOptions,
  codec: LawfulCodec,
): string {
  const markdown = codec.serializeMarkdown(doc, { emit });
  const read = codec.parseMarkdown(markdown, options);
  if (!isSameJson(read, doc)) throw new BrokenLaw("parse(serialize(doc)) is doc", { ...origin, doc, markdown, read });
  const second = codec.serializeMarkdown(read, { emit });
  if (second !== markdown)
    throw new BrokenLaw("serialize is a fixpoint on its output", { ...origin, markdown, second });
  return markdown;
}
