import { caseOf } from "../testing/operation-case.ts";
import { suggestDocuments } from "./suggest.ts";

export const suggestDocumentsCase = caseOf(suggestDocuments, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ query: "subject" }),
  statements: 2,
  // At most 1,000 documents are ranked, by each of their words.
  plans: ({ subjects, callers: { person } }) =>
    ["a", "the", "1999", "a b", subjects.rareWord].map((query) => ({
      caller: person,
      input: { query },
      reads: () => 8_000,
    })),
});
