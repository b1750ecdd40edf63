import { caseOf } from "../testing/operation-case.ts";
import { ofPage, ofSearch, plus } from "../testing/plan-bounds.ts";
import { searchInApp } from "./search.ts";

export const searchInAppCase = caseOf(searchInApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ query: "subject" }),
  statements: 5,
  plans: ({ subjects: { rareWord, typo, tags, collectionId }, callers: { person } }) => {
    const narrowed = { query: rareWord, tag: tags.rare, collectionId, status: "published" };
    const bound = plus(20_000, (rows, total) => ofSearch(rows, total) + ofPage(rows, total));
    return [{ query: rareWord }, { query: "component" }, narrowed, { query: typo }].map((input) => ({
      caller: person,
      input,
      reads: bound,
    }));
  },
});
