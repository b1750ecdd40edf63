import { z } from "zod";
import { Id, Text, Timestamp, timestamp } from "../schema/text.ts";

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

/** A row of `attachments` with what is shown of it. */
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

/** The attachment as the contract shows it. */
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

/** Where everybody who was given the address gets the bytes. */
export const fileUrl = (appUrl: string, publicId: string, name: string): string =>
  `${appUrl}/files/${publicId}/${encodeURIComponent(name).replaceAll(/[!'()*]/g, percent)}`;

/** Parentheses would end the address of an image in Markdown. */
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const maxNameLength = 255;
// They turn what stands around them: `gpj.exe` could read `exe.jpg`.
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The name of a file, of which a path keeps its last part. */
export const FileName = Text.transform((given) => given.replaceAll(directions, "").split(/[/\\]/).at(-1)?.trim() ?? "")
  .refine((name) => !/^\.*$|[\p{Cc}\u2028\u2029]/u.test(name), "Must be the name of a file, in one line")
  .refine((name) => [...name].length <= maxNameLength, `At most ${maxNameLength} characters`);

/** A media type in lower case; its parameters are left out. */
export const ContentType = z
  .string()
  .max(255)
  .transform((given) => given.split(";", 1)[0]?.trim().toLowerCase() ?? "")
  .refine(
    (type) => /^[a-z0-9!#$&^_.+-]{1,63}\/[a-z0-9!#$&^_.+-]{1,63}$/.test(type),
    "Must be a media type such as image/png",
  );

/** The document that an attachment goes with; whoever uploads must be able to edit it. */
export const AttachedTo = Id.nullish();
