import { type Attachment, invalid, invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import { z } from "zod";
import { OptionalDocumentId, OptionalText } from "../fields.ts";
import { decodeFile, fetchImage, maxFileBytes } from "../file-source.ts";
import { readInput, type Tool, type ToolContext } from "../tool.ts";

const fileInput = z.strictObject({
  documentId: OptionalDocumentId.meta({ description: "The document that it belongs to" }),
  name: z.string().meta({ description: "File name" }),
  contentType: z.string().meta({ description: "Such as image/png" }),
  dataBase64: OptionalText.meta({ description: "Its bytes, up to 5 MB" }),
});

const imageInput = fileInput.extend({
  contentType: z
    .string()
    .regex(/^image\//i, "Must be an image type, such as image/png")
    .meta({ description: "Such as image/png" }),
  url: OptionalText.meta({ description: "Instead of the bytes: its https address" }),
});

const output = z.object({
  url: z.string(),
  markdown: z.string(),
  uploadUrl: z.string().optional(),
  curl: z.string().optional(),
  expiresAt: z.string().optional(),
});

type Input = z.output<typeof fileInput>;
type Uploaded = z.input<typeof Attachment>;
type Answer = z.input<typeof output>;

/** Attaches an image: from base64, from a URL, or by an upload URL that it returns. */
const uploadImage: Tool = {
  name: "upload_image",
  title: "Upload an image",
  description:
    "Attaches an image and returns the Markdown to insert into a document. Without its bytes or url, returns an uploadUrl and a curl command that uploads a local file.",
  effect: "adds",
  scope: operations.attachBytes.scope,
  input: imageInput,
  output,
  async run(context, raw) {
    const parsed = readInput(context.actor, operations.attachBytes, imageInput, raw);
    const { dataBase64, url } = parsed;
    if (dataBase64 !== undefined && url !== undefined) throw invalid("url", "Give dataBase64 or url, not both");
    if (url !== undefined) return fetchImage(context, url, (bytes) => attach(context, parsed, bytes));
    return uploadFrom(context, parsed);
  },
};

/** Attaches a file of any type: from base64, or by an upload URL that it returns. */
const uploadFile: Tool = {
  name: "upload_file",
  title: "Upload a file",
  description: "Attaches a file of any type, like upload_image.",
  effect: "adds",
  scope: operations.attachBytes.scope,
  input: fileInput,
  output,
  run: async (context, raw) => uploadFrom(context, readInput(context.actor, operations.attachBytes, fileInput, raw)),
};

/** The tools for files. */
export const uploadTools: readonly Tool[] = [uploadImage, uploadFile];

function uploadFrom(context: ToolContext, parsed: Input): Promise<Answer> {
  const { dataBase64 } = parsed;
  return dataBase64 === undefined ? createUploadUrl(context, parsed) : attach(context, parsed, decodeFile(dataBase64));
}

/** Stores the bytes; a process without a store sends them to the upload URL. */
async function attach(context: ToolContext, parsed: Input, bytes: Uint8Array): Promise<Answer> {
  const { service, actor, call, sendFile } = context;
  const { documentId, name, contentType } = parsed;
  if (sendFile !== undefined) {
    const { attachment, uploadUrl, headers } = await register(context, parsed, bytes.byteLength);
    await sendFile(uploadUrl, headers, bytes);
    return markdownFor(attachment);
  }
  const request = { documentId, name, contentType, bytes };
  return markdownFor(await invoke(service, operations.attachBytes, actor, request, call));
}

function register({ service, actor, call }: ToolContext, { documentId, name, contentType }: Input, size: number) {
  return invoke(service, operations.uploadAttachment, actor, { documentId, name, contentType, size }, call);
}

async function createUploadUrl(context: ToolContext, parsed: Input): Promise<Answer> {
  // The size of the file is unknown, so the upload accepts the limit of an attachment.
  const ticket = await register(context, parsed, context.service.files?.maxBytes ?? maxFileBytes);
  const { attachment, uploadUrl, headers, expiresAt } = ticket;
  const headerArguments = Object.entries(headers).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`);
  const file = `--data-binary ${quoted(`@${attachment.name}`)}`;
  const curl = ["curl -fsS -X PUT", ...headerArguments, file, quoted(uploadUrl)].join(" ");
  return { ...markdownFor(attachment), uploadUrl, curl, expiresAt };
}

/** Returns the Markdown of an image, or a link to another file. */
function markdownFor({ url, name, contentType }: Uploaded): { url: string; markdown: string } {
  const escaped = (text: string): string => text.replaceAll(/[\\[\]]/g, "\\$&");
  const isImage = /^image\//i.test(contentType);
  const markdown = isImage ? `![${escaped(name.replace(/\.[^.]*$/, ""))}](${url})` : `[${escaped(name)}](${url})`;
  return { url, markdown };
}

/** Quotes a text as one shell word, whatever it contains. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
