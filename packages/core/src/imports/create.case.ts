import { caseOf } from "../testing/operation-case.ts";
import { createImport } from "./create.ts";

export const createImportCase = caseOf(createImport, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++F+N FF FF",
  input: ({ collectionId }) => ({ name: "notes.zip", size: 100, collectionId }),
  statements: 12,
});
