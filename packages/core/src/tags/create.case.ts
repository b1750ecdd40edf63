import { caseOf } from "../testing/operation-case.ts";
import { createTag } from "./create.ts";

export const createTagCase = caseOf(createTag, {
  access: "AKKKKKKK S+++ +++++++ KK +++FF+ ++ KK",
  input: () => ({ name: "by the matrix" }),
  statements: 8,
});
