import { type Attachment, invalid, invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import { z } from "zod";
import { OptionalDocumentId, OptionalText } from "../fields.ts";
import { decodeImage, fetchImage, maxImageBytes } from "../image-source.ts";
import { readInput, type Tool, type ToolContext } from "../tool.ts";

const input = z.strictObject({
  documentId: OptionalDocumentId,
  name: z.string(),
  contentType: z.string().regex(/^image\//i, "Must be an image type, such as image/png"),
  dataBase64: OptionalText,
  url: OptionalText,
});

const output = z.object({
  url: z.string(),
  markdown: z.string(),
  uploadUrl: z.string().optional(),
  curl: z.string().optional(),
  expiresAt: z.string().optional(),
});

type Input = z.output<typeof input>;
type Uploaded = z.input<typeof Attachment>;

/** Attaches an image: from base64, from a URL, or by an upload URL that it returns. */
export const uploadImage: Tool = {
  name: "upload_image",
  title: "Upload an image",
  description:
    "Attaches an image (to documentId, if given) and returns the Markdown to insert into a document. Send dataBase64 (up to 5 MB) or the https url of an image. With neither, returns an uploadUrl and a curl command that uploads a local file.",
  effect: "adds",
  scope: operations.attachBytes.scope,
  input,
  output,
  async run(context, raw) {
    const parsed = readInput(context.actor, operations.attachBytes, input, raw);
    const { dataBase64, url } = parsed;
    if (dataBase64 !== undefined && url !== undefined) throw invalid("url", "Give dataBase64 or url, not both");
    if (dataBase64 !== undefined) return attachImage(context, parsed, decodeImage(dataBase64));
    if (url !== undefined) return attachImage(context, parsed, await fetchImage(context.outgoing, url));
    return createUploadUrl(context, parsed);
  },
};

async function attachImage(context: ToolContext, parsed: Input, bytes: Uint8Array): Promise<z.input<typeof output>> {
  const { service, actor, call } = context;
  const { documentId, name, contentType } = parsed;
  const request = { documentId, name, contentType, bytes };
  return markdownFor(await invoke(service, operations.attachBytes, actor, request, call));
}

async function createUploadUrl(context: ToolContext, parsed: Input): Promise<z.input<typeof output>> {
  const { service, actor, call } = context;
  const { documentId, name, contentType } = parsed;
  // The size of the file is unknown, so the upload accepts the limit of an attachment.
  const request = { documentId, name, contentType, size: service.files?.maxBytes ?? maxImageBytes };
  const ticket = await invoke(service, operations.uploadAttachment, actor, request, call);
  const { attachment, uploadUrl, headers, expiresAt } = ticket;
  const headerArguments = Object.entries(headers).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`);
  const file = `--data-binary ${quoted(`@${attachment.name}`)}`;
  const curl = ["curl -fsS -X PUT", ...headerArguments, file, quoted(uploadUrl)].join(" ");
  return { ...markdownFor(attachment), uploadUrl, curl, expiresAt };
}

function markdownFor({ url, name }: Uploaded): { url: string; markdown: string } {
  const alt = name.replace(/\.[^.]*$/, "").replaceAll(/[\\[\]]/g, "\\$&");
  return { url, markdown: `![${alt}](${url})` };
}

/** Quotes a text as one shell word, whatever it contains. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
