import { CodecError } from "./error.ts";
import { checkBytes, containerLimit, withDefaults } from "./limits.ts";
import { normalizeWithin } from "./normalize.ts";
import { readMarkdown } from "./read.ts";
import { type Environment, isDefined } from "./syntax/environment.ts";
import type { DocJSON, Limits, ParseOptions } from "./types.ts";

// C0 controls but tab and line ends.
const CONTROL = /[^\P{Cc}\t\n\r\u007f-\u009f]+/gu;
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Reads Markdown into a document in normal form. Any text is readable: what is no markup is text.
 *
 * @throws CodecError `INLINE_IMAGE` for an image as a `data:` URL, `NESTING`, `LIMIT`, each with its line where it has
 *   one; `UNSUPPORTED` in strict mode
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): DocJSON {
  const limits = withDefaults(options.limits);
  checkBytes(text, limits);
  const source = text.replace(BYTE_ORDER_MARK, "").replaceAll("\0", "\ufffd").replace(CONTROL, "").toWellFormed();
  // What a text writes itself it may have, and once more as much by references.
  const addresses = source.length + Math.max(source.length, limits.refExpansion);
  const environment: Environment = { footnotes: new Set(), containers: containerLimit(limits), addresses };
  if (options.strict) return readStrictly(source, { ...environment, unused: new Set() }, limits);
  return readDocument(source, environment, limits);
}

function readStrictly(source: string, environment: Environment & { unused: Set<string> }, limits: Limits): DocJSON {
  const doc = readDocument(source, environment, limits);
  const [label] = environment.unused;
  if (label === undefined) return doc;
  throw new CodecError("UNSUPPORTED", `In strict mode: nothing uses the definition of the link [${label}].`);
}

/** Reads cleaned text; footnotes whose labels are in the environment count as defined. */
export function readDocument(source: string, environment: Environment, limits: Limits): DocJSON {
  const json = readMarkdown(source, environment);
  const labels = { has: (label: string): boolean => isDefined(environment, label) };
  return normalizeWithin({ type: "doc", content: json.content ?? [] }, limits, labels).doc;
}
