import { type EdgeContext, readBytes } from "@kb/http";

/** Far more than any form or registration needs. */
export const maxBodyBytes = 16_384;

/** The media type of forms. */
export const formType = "application/x-www-form-urlencoded";

/** Reads a form; null for another media type. @throws {ServiceError} `payload_too_large` */
export async function readFormBody(context: EdgeContext): Promise<URLSearchParams | null> {
  const [type = ""] = (context.req.header("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() !== formType) return null;
  const bytes = await readBytes(context.req.raw, maxBodyBytes);
  return new URLSearchParams(Buffer.from(bytes).toString("utf8"));
}
