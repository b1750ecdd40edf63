import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CodecError, type DocJSON } from "../src/index.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { holdsForDocument, holdsForText } from "./laws.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const minutes = 60_000;
const timeout = 60 * minutes;

/** True when the text is refused for a reason that the contract names: a base64 image, or depth. */
function isRefused(error: unknown): boolean {
  return error instanceof CodecError && (error.code === "INLINE_IMAGE" || error.code === "NESTING");
}

function forDocuments(documents: fc.Arbitrary<DocJSON>, name: string, cases: number): void {
  const chosen = runs(cases);
  fc.assert(
    fc.property(documents, (doc) => void holdsForDocument(doc)),
    chosen,
  );
  report(name, chosen);
}

describe("round trip", () => {
  test("parse(serialize(normalize(d))) = normalize(d) for documents that people write", { timeout }, () => {
    forDocuments(ordinaryDocuments, "ordinary documents", 4_000);
  });

  test("parse(serialize(normalize(d))) = normalize(d) for every schema-valid document", { timeout }, () => {
    forDocuments(hostileDocuments, "hostile documents", 16_000);
  });

  test("normalize(parse(x)) = parse(x), and serialize is a fixpoint, for every text", { timeout }, () => {
    const chosen = runs(100_000);
    let refused = 0;
    fc.assert(
      fc.property(hostileTexts, (text) => {
        try {
          holdsForText(text);
        } catch (error) {
          if (!isRefused(error)) throw error;
          refused += 1;
        }
      }),
      chosen,
    );
    report(`hostile texts (${refused} refused as INLINE_IMAGE or NESTING)`, chosen);
    expect(refused).toBeLessThan(chosen.numRuns / 100);
  });
});
