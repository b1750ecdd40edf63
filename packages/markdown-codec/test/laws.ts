import { isDeepStrictEqual } from "node:util";
import {
  type DocJSON,
  type EmitOptions,
  normalize,
  type ParseOptions,
  parseMarkdown,
  serializeMarkdown,
} from "../src/index.ts";

/** A law that does not hold, with everything needed to see why. */
export class BrokenLaw extends Error {
  constructor(law: string, parts: Record<string, unknown>) {
    const shown = Object.entries(parts).map(([name, part]) => `${name}: ${JSON.stringify(part)}`);
    super(`${law}\n${shown.join("\n")}`);
    this.name = "BrokenLaw";
  }
}

/** The functions that the laws are about. */
interface Codec {
  readonly normalize: typeof normalize;
  readonly parseMarkdown: typeof parseMarkdown;
  readonly serializeMarkdown: typeof serializeMarkdown;
}

const mainEntry: Codec = { normalize, parseMarkdown, serializeMarkdown };

/**
 * The laws of a text: what is read is in normal form, is read again the same after it was written, and what was
 * written is written the same again. Throws BrokenLaw; returns the document and its Markdown.
 */
export function holdsForText(
  text: string,
  options: ParseOptions = {},
  codec = mainEntry,
): { doc: DocJSON; markdown: string } {
  const doc = codec.parseMarkdown(text, options);
  const { doc: normal, changes } = codec.normalize(doc);
  if (changes.length > 0 || !isDeepStrictEqual(normal, doc)) {
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
  emit: EmitOptions = {},
  options: ParseOptions = {},
  codec = mainEntry,
): { doc: DocJSON; markdown: string } {
  const normal = codec.normalize(doc).doc;
  const again = codec.normalize(normal);
  if (again.changes.length > 0 || !isDeepStrictEqual(again.doc, normal)) {
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
  codec: Codec,
): string {
  const markdown = codec.serializeMarkdown(doc, { emit });
  const read = codec.parseMarkdown(markdown, options);
  if (!isDeepStrictEqual(read, doc))
    throw new BrokenLaw("parse(serialize(doc)) is doc", { ...origin, doc, markdown, read });
  const second = codec.serializeMarkdown(read, { emit });
  if (second !== markdown)
    throw new BrokenLaw("serialize is a fixpoint on its output", { ...origin, markdown, second });
  return markdown;
}
