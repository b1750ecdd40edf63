import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CodecError, type EmitOptions, type NodeJSON } from "../src/index.ts";
import { cases, documents, texts } from "../src/testing.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { holdsForDocument, holdsForText } from "./laws.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const timeout = 24 * 3_600_000;

/** True when the value is refused for a reason that the contract names: a data: image, or depth. */
function isRefused(error: unknown): boolean {
  return error instanceof CodecError && (error.code === "INLINE_IMAGE" || error.code === "NESTING");
}

/** Tries `cases` values; a refusal is no failure, but refusing more than one in fifty would prove nothing. */
function forAll<Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  cases: number,
  holds: (value: Value) => unknown,
): void {
  const chosen = runs(cases);
  let refused = 0;
  fc.assert(
    fc.property(values, (value) => {
      try {
        holds(value);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refused += 1;
      }
    }),
    chosen,
  );
  report(`${name} (${refused} refused as INLINE_IMAGE or NESTING)`, chosen);
  expect(refused).toBeLessThanOrEqual(chosen.numRuns / 50);
}

describe("round trip", () => {
  test("parse(serialize(normalize(d))) = normalize(d) for documents that people write", { timeout }, () => {
    forAll("ordinary documents", ordinaryDocuments, 4_000, (doc) => holdsForDocument(doc));
  });

  test("parse(serialize(normalize(d))) = normalize(d) for every schema-valid document", { timeout }, () => {
    forAll("hostile documents", hostileDocuments, 8_000, (doc) => holdsForDocument(doc));
    forAll("documents of markdown-codec/testing", documents, 6_000, (doc) => holdsForDocument(doc));
  });

  test("the laws hold for every choice of spelling (`emit`)", { timeout }, () => {
    const emit: fc.Arbitrary<EmitOptions> = fc.record({
      underline: fc.constantFrom("u", "ins", "++"),
      subSup: fc.constantFrom("markdown", "html"),
      bullet: fc.constantFrom("-", "*", "+"),
    });
    const cases = fc.tuple(hostileDocuments, emit);
    forAll("hostile documents with other spellings", cases, 2_000, ([doc, options]) => holdsForDocument(doc, options));
  });

  test("normalize(parse(x)) = parse(x), and serialize is a fixpoint, for every text", { timeout }, () => {
    forAll("hostile texts", hostileTexts, 80_000, holdsForText);
    forAll("texts of markdown-codec/testing", texts, 20_000, holdsForText);
  });

  test("what random documents once broke survives", () => {
    const text = (value: string, ...marks: string[]): NodeJSON => ({
      type: "text",
      text: value,
      ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
    });
    for (const content of [
      [text("[", "superscript"), text("a]a")],
      [text("x^["), text("a", "superscript"), text("^]")],
      [text("~", "subscript"), text("~~"), text("b", "strike")],
    ]) {
      holdsForDocument({ type: "doc", content: [{ type: "paragraph", content }] });
    }
  });

  test.for([...cases])("the hand-written case of markdown-codec/testing survives: $name", ({ markdown }) => {
    holdsForText(markdown);
  });
});
