import { receiveUpload, type Service, ServiceError } from "@kb/core";
import { type Edge, type RateLimitOptions, rateLimit } from "@kb/http";
import type { Hono } from "hono";

/**
 * `PUT /api/attachments.upload/{id}?token=…`: the address that an upload was given. The token in it is the credential, so
 * it stands before the guard of `/api`; whoever guesses at one is counted by their address.
 */
export function takeUploads(app: Hono<Edge>, service: Service, limits: RateLimitOptions): void {
  app.put("/api/attachments.upload/:id", rateLimit(limits), async (context) => {
    context.set("route", "/api/attachments.upload/{id}");
    const { body, headers } = context.req.raw;
    if ((headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") {
      throw new ServiceError("unsupported_media_type", "Send the bytes without a Content-Encoding.");
    }
    const length = headers.get("Content-Length");
    const attachment = await receiveUpload(service, {
      id: context.req.param("id"),
      token: context.req.query("token") ?? "",
      body: body ?? nothing(),
      length: length === null ? undefined : Number(length),
    });
    return context.json({ data: attachment });
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
