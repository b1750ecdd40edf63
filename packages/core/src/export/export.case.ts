import { collection } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { exportCollection } from "./export.ts";

export const exportCollectionCase = caseOf(exportCollection, {
  access: "AKKKKKKK +S++ N++N+++ KK ++++FN N+ KK",
  input: collection,
  statements: 3,
  withoutPlans: "reads all of a collection",
});
