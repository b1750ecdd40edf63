import { dot } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { attachBytes } from "./attach.ts";

export const attachBytesCase = caseOf(attachBytes, {
  access: "AKKKKKKK S+++ +++++++ KK +++F++ ++ S+",
  input: () => ({ name: "dot.png", bytes: dot }),
  statements: 8,
  withoutRoute: "the tools of assistants, in one step",
});
