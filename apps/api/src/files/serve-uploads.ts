import { receiveUpload, type Service, ServiceError } from "@kb/core";
import { type Edge, type RateLimitOptions, rateLimit } from "@kb/http";
import type { Hono } from "hono";

/**
 * Serves `PUT /api/attachments.upload/{id}?token=…`, the address of one upload. Its token is the credential, so call this
 * before the guard of `/api`. Guesses are counted per client address.
 */
export function serveUploads(app: Hono<Edge>, service: Service, limits: RateLimitOptions): void {
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
      body: body ?? noBytes(),
      length: length === null ? undefined : Number(length),
    });
    return context.json({ data: attachment });
  });
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
