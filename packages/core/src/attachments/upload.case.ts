import { dot } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { uploadAttachment } from "./upload.ts";

export const uploadAttachmentCase = caseOf(uploadAttachment, {
  access: "AKKKKKKK S+++ +++++++ KK +++F++ ++ KK",
  input: () => ({ name: "dot.png", contentType: "image/png", size: dot.length }),
  statements: 8,
});
