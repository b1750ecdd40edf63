import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { findCollectionForAssistants, listCollectionsForAssistants } from "./list-collections.ts";

export const listCollectionsForAssistantsCase = caseOf(listCollectionsForAssistants, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ ++",
  input: () => ({}),
  statements: 4,
  withoutRoute: "the tools of assistants",
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const findCollectionForAssistantsCase = caseOf(findCollectionForAssistants, {
  access: "AKKKKKKK +S++ N++N+++ KK +++++N N+ ++",
  input: () => ({ name: "Subject" }),
  statements: 2,
  withoutRoute: "the tools of assistants",
  plans: ({ callers: { person } }) => [{ caller: person, input: { name: "Collection 1" }, reads: ofPage }],
});
