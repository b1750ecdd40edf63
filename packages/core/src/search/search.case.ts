import { caseOf } from "../testing/operation-case.ts";
import { ofSearch, plus } from "../testing/plan-bounds.ts";
import { searchDocuments } from "./search.ts";

export const searchDocumentsCase = caseOf(searchDocuments, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ KK",
  input: () => ({ query: "subject" }),
  statements: 4,
  plans: ({ subjects: { rareWord, typo, tags, collectionId }, callers: { person, restricted } }) => {
    const queries = [
      rareWord,
      "prefetching",
      "component",
      "コンポーネント",
      '"content collections"',
      "astro -component",
    ];
    const narrowed = { query: rareWord, tag: [tags.rare], collectionId, status: ["published"] };
    return [
      ...queries.map((query) => ({ caller: person, input: { query }, reads: ofSearch })),
      { caller: restricted, input: { query: rareWord }, reads: ofSearch },
      { caller: person, input: narrowed, reads: ofSearch },
      { caller: person, input: { query: typo }, reads: plus(20_000, ofSearch) },
    ];
  },
});
