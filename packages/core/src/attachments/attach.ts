import type { Caller } from "@kb/auth";
import { z } from "zod";
import type { CallMetadata, Service } from "../context.ts";
import { invalid } from "../errors.ts";
import type { Emitter } from "../events.ts";
import { type Operation, operation } from "../operation.ts";
import { AttachedTo, Attachment, type AttachmentRow, ContentType, FileName } from "./attachment.ts";
import { requireFiles } from "./files.ts";
import { detectType, headBytes } from "./media-type.ts";
import { storeBytes } from "./receive.ts";
import { registerAttachment, requireSize } from "./upload.ts";

const input = z.strictObject({
  name: FileName,
  /** Default: the type that the first bytes show. */
  contentType: ContentType.optional(),
  documentId: AttachedTo,
  bytes: z.instanceof(Uint8Array),
});

/** The result of the first half, which the second half needs. */
type Registered = { readonly attachment: AttachmentRow; readonly uploader: Emitter };

/** Defines the first half of an operation that attaches bytes in one step: it registers them. */
export const registering = (name: string, summary: string) =>
  operation({
    name,
    summary,
    scope: "write",
    capability: null,
    input: z.object({ name: z.string(), contentType: z.string(), size: z.int(), documentId: z.uuid().nullable() }),
    output: z.custom<Registered>(),
    run: async (context, request): Promise<Registered> => {
      const { row } = await registerAttachment(context, request);
      context.audit.setTarget("attachment", row.id);
      return { attachment: row, uploader: context.actor };
    },
  });

type Register = ReturnType<typeof registering>;

/** The caller of an operation, as `perform` receives it. */
type Call = readonly [service: Service, caller: Caller, call: CallMetadata];

type Bytes = {
  readonly name: string;
  readonly contentType: string;
  readonly documentId: string | null;
  readonly bytes: Uint8Array;
};

/** Attaches bytes in one step: registers and stores them. */
export async function attach(
  register: Register,
  [service, caller, call]: Call,
  { bytes, ...file }: Bytes,
): Promise<z.input<typeof Attachment>> {
  const request = { ...file, size: bytes.byteLength };
  const { attachment, uploader } = register.output.parse(await register.perform(service, caller, call, request));
  return storeBytes(service, uploader, attachment, oneChunk(bytes));
}

const register = registering("attachments.attach", "Attach bytes");

/** Creates an attachment from bytes in memory, in one step, for edges without a second step. */
export const attachBytes: Operation<typeof input, typeof Attachment> = {
  ...register,
  input,
  output: Attachment,
  async perform(service, caller, call, { name, contentType, documentId = null, bytes }) {
    const size = bytes.byteLength;
    if (size === 0) throw invalid("bytes", "Must not be empty");
    requireSize(size, requireFiles(service));
    const type = contentType ?? (await detectType(bytes.subarray(0, headBytes))) ?? "application/octet-stream";
    return attach(register, [service, caller, call], { name, contentType: type, documentId, bytes });
  },
};

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
