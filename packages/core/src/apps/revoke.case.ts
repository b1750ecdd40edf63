import { connectedApp } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { revokeApp } from "./revoke.ts";

export const revokeAppCase = caseOf(revokeApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++NNNN FF FF",
  input: connectedApp,
  statements: 8,
});
