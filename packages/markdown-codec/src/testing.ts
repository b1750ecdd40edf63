/**
 * The test cases of this package, for use with other schemas and editors: a case for every construct,
 * fast-check arbitraries of documents and texts, and the laws for a codec of `createCodec`. Needs `fast-check` (an optional
 * peer).
 */
export { hostileAlphabet } from "./testing/alphabet.ts";
export { type Case, cases } from "./testing/cases.ts";
export { codecLaws, type LawRuns } from "./testing/codec-laws.ts";
export { documents, texts } from "./testing/documents.ts";
export { type HostileInput, hostileInputs } from "./testing/hostile-inputs.ts";
