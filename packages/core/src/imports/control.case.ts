import { newImport } from "../testing/matrix/new-import.ts";
import { caseOf } from "../testing/operation-case.ts";
import { continueImport, stopImport } from "./control.ts";

export const stopImportCase = caseOf(stopImport, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: newImport("queued"),
  statements: 8,
});

export const continueImportCase = caseOf(continueImport, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNFNN FF FF",
  input: newImport("stopped"),
  statements: 14,
});
