import { caseOf } from "../testing/operation-case.ts";
import { daysBefore, ofPage, ofTotal, ofTree, plus } from "../testing/plan-bounds.ts";
import { listDocumentsForAssistants } from "./list-documents.ts";

export const listDocumentsForAssistantsCase = caseOf(listDocumentsForAssistants, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ ++",
  input: () => ({}),
  statements: 4,
  withoutRoute: "the tools of assistants",
  plans: ({ subjects: { collectionId, documentIds, tags, startedAt }, callers: { person, restricted } }) => [
    { caller: person, input: {}, reads: ofPage },
    { caller: restricted, input: {}, reads: plus(4_000, ofPage) },
    { caller: person, input: { updatedSince: daysBefore(startedAt, 180), collectionId }, reads: ofPage },
    { caller: person, input: { tag: tags.rare }, reads: plus(1_000, ofPage) },
    { caller: person, input: { tag: tags.common }, reads: ofPage },
    { caller: person, input: { linksTo: documentIds[0] }, reads: ofTotal },
    { caller: person, input: { status: "trashed" }, reads: ofTotal },
    { caller: person, input: { under: documentIds[0] }, reads: ofTotal },
    { caller: person, input: { tree: true }, reads: ofTree },
    { caller: restricted, input: { tree: true }, reads: ofTree },
    { caller: person, input: { tree: true, collectionId }, reads: ofTree },
    { caller: person, input: { tree: true, under: documentIds[0] }, reads: ofTree },
  ],
});
