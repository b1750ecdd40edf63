import { z } from "zod";
import { invalid } from "../errors.ts";
import type { Operation, WriteContext } from "../operation.ts";
import { AttachedTo, Attachment, ContentType, FileName } from "./attachment.ts";
import { requireFiles } from "./files.ts";
import { detectType, headBytes } from "./media-type.ts";
import { storeBytes } from "./receive.ts";
import { registerAttachment, requireSize } from "./upload.ts";

const input = z.strictObject({
  name: FileName,
  /** Left out: what the first bytes tell. */
  contentType: ContentType.optional(),
  documentId: AttachedTo,
  bytes: z.instanceof(Uint8Array),
});

/** Makes an attachment of bytes that are at hand, in one step. For edges that have no second one. */
export const attachBytes: Operation<typeof input, typeof Attachment> = {
  name: "attachments.attach",
  summary: "Attach bytes",
  scope: "write",
  capability: null,
  input,
  output: Attachment,
  async perform(service, actor, call, { name, contentType, documentId, bytes }) {
    const files = requireFiles(service);
    const size = bytes.byteLength;
    if (size === 0) throw invalid("bytes", "There are no bytes");
    requireSize(size, files);
    const told = contentType ?? (await detectType(bytes.subarray(0, headBytes))) ?? "application/octet-stream";
    const { database, clock, ...rest } = service;
    const { row } = await database.transaction((tx) => {
      const context: WriteContext = { ...rest, actor, call, now: clock.now(), tx };
      return registerAttachment(context, { name, contentType: told, size, documentId: documentId ?? null });
    });
    return storeBytes(service, actor, row, oneChunk(bytes));
  },
};

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
