import { collection } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne, ofPage } from "../testing/plan-bounds.ts";
import { getCollection, listCollections } from "./read.ts";

export const getCollectionCase = caseOf(getCollection, {
  access: "AKKKKKKK +S++ N++N+++ KK +++++N N+ KK",
  input: collection,
  statements: 3,
  plans: ({ subjects, callers }) => [{ caller: callers.person, input: { id: subjects.collectionId }, reads: ofOne }],
});

export const listCollectionsCase = caseOf(listCollections, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ KK",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
