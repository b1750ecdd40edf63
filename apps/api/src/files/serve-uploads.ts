import { receiveImport, receiveUpload, type Service, ServiceError, type Upload } from "@kb/core";
import { type Edge, type RateLimitOptions, rateLimit } from "@kb/http";
import type { Hono } from "hono";

/** The paths of uploads, and what receives their bytes. */
const receivers: Readonly<Record<string, (service: Service, upload: Upload) => Promise<object>>> = {
  "/api/attachments.upload": receiveUpload,
  "/api/imports.upload": receiveImport,
};

/**
 * Serves `PUT /api/attachments.upload/{id}?token=…` and `PUT /api/imports.upload/{id}?token=…`, the addresses of one upload
 * each. Its token is the credential, so call this before the guard of `/api`. Guesses are counted per client address.
 */
export function serveUploads(app: Hono<Edge>, service: Service, limits: RateLimitOptions): void {
  for (const [path, receive] of Object.entries(receivers))
    serveUpload(app, path, rateLimit(limits), (upload) => receive(service, upload));
}

function serveUpload(
  app: Hono<Edge>,
  path: string,
  limit: ReturnType<typeof rateLimit>,
  receive: (upload: Upload) => Promise<object>,
): void {
  app.put(`${path}/:id`, limit, async (context) => {
    context.set("route", `${path}/{id}`);
    const { body, headers } = context.req.raw;
    if ((headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") {
      throw new ServiceError("unsupported_media_type", "Send the bytes without a Content-Encoding.");
    }
    const length = headers.get("Content-Length");
    const received = await receive({
      id: context.req.param("id"),
      token: context.req.query("token") ?? "",
      body: body ?? noBytes(),
      length: length === null ? undefined : Number(length),
    });
    return context.json({ data: received });
  });
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
