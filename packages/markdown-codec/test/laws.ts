import {
  type DocJSON,
  type EmitOptions,
  normalize,
  type ParseOptions,
  parseMarkdown,
  serializeMarkdown,
} from "../src/index.ts";
import * as laws from "../src/testing/laws.ts";

export { BrokenLaw } from "../src/testing/laws.ts";

const mainEntry: laws.LawfulCodec = { normalize, parseMarkdown, serializeMarkdown };

/** The laws of a text, by default for the main entry. Throws BrokenLaw; returns the document and its Markdown. */
export function holdsForText(
  text: string,
  options: ParseOptions = {},
  codec = mainEntry,
): { doc: DocJSON; markdown: string } {
  return laws.holdsForText(text, options, codec);
}

/** The laws of a document, by default for the main entry. Throws BrokenLaw; returns the normal form and its Markdown. */
export function holdsForDocument(
  doc: DocJSON,
  emit: EmitOptions = {},
  options: ParseOptions = {},
  codec = mainEntry,
): { doc: DocJSON; markdown: string } {
  return laws.holdsForDocument(doc, emit, options, codec);
}
