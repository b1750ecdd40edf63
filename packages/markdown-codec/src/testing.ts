/**
 * What this package is tested with, for whoever brings a schema or an editor of their own: a case for every construct,
 * and fast-check arbitraries of documents and texts. Needs `fast-check` (an optional peer).
 */
export { hostileAlphabet } from "./testing/alphabet.ts";
export { type Case, cases } from "./testing/cases.ts";
export { documents, texts } from "./testing/documents.ts";
