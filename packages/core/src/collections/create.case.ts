import { caseOf } from "../testing/operation-case.ts";
import { createCollection } from "./create.ts";

export const createCollectionCase = caseOf(createCollection, {
  access: "AKKKKKKK S+++ FFFFFFF KK ++FFF+ ++ KK",
  input: () => ({ name: "By the matrix" }),
  statements: 8,
});
