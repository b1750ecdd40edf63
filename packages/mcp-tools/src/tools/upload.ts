import { type Attachment, invalid, invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import { z } from "zod";
import { OptionalDocumentId, OptionalText } from "../fields.ts";
import { decodeImage, fetchImage, maxImageBytes } from "../image-source.ts";
import { readInput, type Tool, type ToolContext } from "../tool.ts";

const input = z.strictObject({
  documentId: OptionalDocumentId,
  name: z.string(),
  contentType: z.string().regex(/^image\//i, "Must be the type of an image, such as image/png"),
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

/** Attaches an image: bytes at hand, bytes at an address, or an address to send them to. */
export const uploadImage: Tool = {
  name: "upload_image",
  title: "Upload an image",
  description:
    "Attaches an image (to documentId, where given) and returns the Markdown to put into a document. Give dataBase64 (up to 5 MB) or the https url of an image; with neither you get an uploadUrl and a curl line that sends a local file there.",
  effect: "adds",
  scope: operations.attachBytes.scope,
  input,
  output,
  async run(context, raw) {
    const asked = readInput(context.actor, operations.attachBytes, input, raw);
    const { dataBase64, url } = asked;
    if (dataBase64 !== undefined && url !== undefined) throw invalid("url", "Give dataBase64 or url, not both");
    if (dataBase64 !== undefined) return attached(context, asked, decodeImage(dataBase64));
    if (url !== undefined) return attached(context, asked, await fetchImage(context.outgoing, url));
    return addressFor(context, asked);
  },
};

async function attached(context: ToolContext, asked: Input, bytes: Uint8Array): Promise<z.input<typeof output>> {
  const { service, actor, call } = context;
  const { documentId, name, contentType } = asked;
  const request = { documentId, name, contentType, bytes };
  return shown(await invoke(service, operations.attachBytes, actor, request, call));
}

async function addressFor(context: ToolContext, asked: Input): Promise<z.input<typeof output>> {
  const { service, actor, call } = context;
  const { documentId, name, contentType } = asked;
  // How large the file is, nobody has said: up to the limit of an attachment.
  const request = { documentId, name, contentType, size: service.files?.maxBytes ?? maxImageBytes };
  const ticket = await invoke(service, operations.uploadAttachment, actor, request, call);
  const { attachment, uploadUrl, headers, expiresAt } = ticket;
  const sent = Object.entries(headers).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`);
  const curl = ["curl -fsS -X PUT", ...sent, `--data-binary ${quoted(`@${attachment.name}`)}`, quoted(uploadUrl)].join(
    " ",
  );
  return { ...shown(attachment), uploadUrl, curl, expiresAt };
}

function shown({ url, name }: Uploaded): { url: string; markdown: string } {
  const alt = name.replace(/\.[^.]*$/, "").replaceAll(/[\\[\]]/g, "\\$&");
  return { url, markdown: `![${alt}](${url})` };
}

/** As one word of a shell, whatever the name of the file is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
