import { takeTurn } from "@kb/telemetry";
import { z } from "zod";
import { callerKinds } from "../caller-kinds.ts";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { attach, registering } from "./attach.ts";
import { Attachment, FileName } from "./attachment.ts";
import { type FetchAddress, type FetchedFile, fetchFile } from "./fetch-file.ts";
import { requireFiles } from "./files.ts";
import { detectType, headBytes, isDisplayable } from "./media-type.ts";
import { requireMayAttach } from "./upload.ts";

const input = z.strictObject({ url: z.string().min(1).max(2_000), documentId: Id });

/** The largest picture to copy, in bytes: it is held in memory. */
const maxBytesInMemory = 25 * 1024 * 1024;

const register = registering("attachments.copy", "Copy a picture into a document");

/** Creates an attachment of a document from a picture on another site. */
export const copyPicture: Operation<typeof input, typeof Attachment> = {
  ...register,
  description:
    "The service fetches the picture and stores it as a file of the document, as an upload would. It follows at most 5 redirects, to public addresses only, and takes 15 seconds at most. A picture has at most 25 MB, or the limit of an upload if that is smaller. At most 2 pictures of a user, 4 of a team and 8 of the whole process are copied at once. Further calls wait, at most 8 of a user and for 10 seconds; then they are `rate_limited`. If a `validation_error` is about the address, the `reason` in its details is `refused` (not a public address), `failed`, `timeout`, `status` or `redirects`; bytes of anything but a picture that browsers can show safely are an `unsupported_media_type`.",
  input,
  output: Attachment,
  takesTurnLater: true,
  async perform(service, caller, call, { url, documentId }) {
    const { actor } = callerKinds.user.context(caller);
    const { maxBytes } = requireFiles(service);
    const send = requireOutgoing(service);
    // Nobody makes the service fetch what they may not attach.
    await requireMayAttach(service.database, actor, documentId);
    const options = { actor, maxBytes: Math.min(maxBytes, maxBytesInMemory) };
    return fetchFile(send, url, options, async (fetched) => {
      const endTurn = await takeTurn("begin");
      try {
        const contentType = await requirePictureType(fetched.bytes);
        const name = nameOf(fetched, contentType);
        return await attach(register, [service, caller, call], { name, contentType, documentId, bytes: fetched.bytes });
      } finally {
        endTurn();
      }
    });
  },
};

/** @throws {ServiceError} `unavailable` in a process that fetches nothing */
function requireOutgoing({ outgoing }: Service): FetchAddress {
  if (outgoing !== undefined) return outgoing;
  throw new ServiceError("unavailable", "Pictures cannot be copied here: this process fetches nothing.");
}

/** Returns the type that the first bytes show, whatever the other site says. @throws {ServiceError} `unsupported_media_type` */
async function requirePictureType(bytes: Uint8Array): Promise<string> {
  const type = await detectType(bytes.subarray(0, headBytes));
  if (type?.startsWith("image/") === true && isDisplayable(type)) return type;
  throw new ServiceError("unsupported_media_type", "There is no picture at this address.");
}

/** Returns the last part of the address as a file name with an ending that fits a picture. */
function nameOf({ url }: FetchedFile, contentType: string): string {
  const last = new URL(url).pathname.split("/").at(-1) || "picture";
  const ending = `.${contentType.replace(/^image\/(?:x-|vnd\.)?/, "")}`;
  const decoded = decodedPart(last);
  const name = /\.(?:png|apng|jpe?g|gif|webp|avif|bmp|ico|tiff?|hei[cf])$/i.test(decoded)
    ? decoded
    : `${decoded}${ending}`;
  const given = FileName.safeParse(name);
  return given.success ? given.data : `picture${ending}`;
}

/** Returns the text of a part of a path, or the part itself if its escapes are not UTF-8. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
