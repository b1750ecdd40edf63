import { caseOf, type PlanCase, type PlanQuestion } from "../testing/operation-case.ts";
import { daysBefore, ofCommonTag, ofPage, ofTotal, plus } from "../testing/plan-bounds.ts";
import { listDocuments } from "./list.ts";

export const listDocumentsCase = caseOf(listDocuments, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ KK",
  input: () => ({}),
  statements: 3,
  plans: listPlans,
});

const sorts = ["updatedAt", "-updatedAt", "createdAt", "-createdAt", "title", "-title", "sortOrder", "-sortOrder"];

function listPlans({ subjects, callers: { person, restricted } }: PlanQuestion): PlanCase[] {
  const { count, collectionId, documentIds, tags, startedAt } = subjects;
  const page = (input: object): PlanCase => ({ caller: person, input, reads: ofPage });
  const counted = (input: object): PlanCase => ({ caller: person, input, reads: ofTotal });
  const updatedSince = daysBefore(startedAt, 180);
  return [
    ...sorts.flatMap((sort) => [page({ sort }), page({ sort, collectionId }), counted({ sort, tag: [tags.rare] })]),
    ...["draft", "published", "archived"].map((status) => page({ status: [status] })),
    page({ limit: 100, offset: 200, format: "markdown" }),
    // By the counts, reading on in the order is less than looking up all documents that carry the tag.
    page({ tag: [tags.common] }),
    page({ tag: [tags.common], sort: "title" }),
    page({ tag: [tags.common], collectionId }),
    page({ tag: [tags.common], updatedSince }),
    // The links of both tags are read to find the documents that carry both.
    { caller: person, input: { tag: [tags.rare, tags.common] }, reads: plus(ofCommonTag(count), ofTotal) },
    counted({ title: "Nobody has this title" }),
    counted({ parentDocumentId: documentIds[0] }),
    counted({ linksTo: documentIds[0] }),
    counted({ createdBy: person.userId, limit: 10 }),
    counted({ createdBy: person.userId, collectionId, sort: "title" }),
    counted({ deleted: true }),
    page({ updatedSince }),
    page({ updatedSince, collectionId }),
    page({ updatedSince: startedAt.toISOString() }),
    page({ updatedSince: daysBefore(startedAt, 80), includeDeleted: true }),
    { caller: person, input: { updatedSince, tag: [tags.rare] }, reads: plus(1_000, ofPage) },
    // The documents that the key may read lie anywhere among the changes, and are few.
    { caller: restricted, input: {}, reads: ofTotal },
    { caller: restricted, input: { sort: "title", offset: 100 }, reads: ofTotal },
  ];
}
