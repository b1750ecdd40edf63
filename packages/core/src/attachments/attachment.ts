import { z } from "zod";
import { Id, Text, Timestamp, timestamp } from "../schema/text.ts";
import { withoutInvisible } from "../schema/visible-text.ts";

/** An attachment as every edge shows it. */
export const Attachment = z
  .object({
    id: z.uuid(),
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    documentId: z.uuid().nullable(),
    createdById: z.uuid().nullable(),
    url: z.url(),
    status: z.enum(["pending", "ready"]),
    createdAt: Timestamp,
  })
  .meta({ id: "Attachment" });

/** A row of `attachments`, with the columns that are shown. */
export type AttachmentRow = {
  id: string;
  publicId: string;
  name: string;
  contentType: string;
  size: bigint | number;
  documentId: string | null;
  createdById: string | null;
  status: string;
  createdAt: Date;
};

/** Returns the attachment as the contract shows it. */
export function presentAttachment(row: AttachmentRow, appUrl: string): z.input<typeof Attachment> {
  return {
    id: row.id,
    name: row.name,
    contentType: row.contentType,
    size: Number(row.size),
    documentId: row.documentId,
    createdById: row.createdById,
    url: fileUrl(appUrl, row.publicId, row.name),
    status: row.status === "ready" ? "ready" : "pending",
    createdAt: timestamp(row.createdAt),
  };
}

/** Returns the public address of the bytes. Anybody who has it may read them. */
export const fileUrl = (appUrl: string, publicId: string, name: string): string =>
  `${appUrl}/files/${publicId}/${encodeURIComponent(name).replaceAll(/[!'()*]/g, percent)}`;

/** Escapes parentheses, which would end the address of an image in Markdown. */
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const maxNameLength = 255;
/** The maximum length of the path that a name is taken from: that of Linux. */
const maxPathLength = 4_096;

/**
 * The name of a file, without invisible characters: direction marks reverse the text around them, so that `gpj.exe` could read
 * `exe.jpg`. Of a path only the last part is kept.
 */
export const FileName = Text.refine((given) => given.length <= maxPathLength, {
  message: `At most ${maxNameLength} characters`,
  abort: true,
})
  .transform((given) => withoutInvisible(given).split(/[/\\]/).at(-1)?.trim() ?? "")
  .refine((name) => !/^\.*$|[\p{Cc}\u2028\u2029]/u.test(name), "Must be a file name on one line")
  .refine((name) => [...name].length <= maxNameLength, `At most ${maxNameLength} characters`);

/** A media type in lower case, without parameters. */
export const ContentType = z
  .string()
  .max(255)
  .transform((given) => given.split(";", 1)[0]?.trim().toLowerCase() ?? "")
  .refine(
    (type) => /^[a-z0-9!#$&^_.+-]{1,63}\/[a-z0-9!#$&^_.+-]{1,63}$/.test(type),
    "Must be a media type such as image/png",
  );

/** The document that an attachment belongs to. The uploader must be allowed to edit it. */
export const AttachedTo = Id.nullish();
