import { findFile, notFound, type PublicFile, type Service } from "@kb/core";
import {
  byteStream,
  contentDisposition,
  type Edge,
  type EdgeContext,
  hasNoneMatchTag,
  methodNotAllowed,
} from "@kb/http";
import type { Hono } from "hono";
import { readRange } from "./read-range.ts";

/** Prevents a file from running, loading or framing anything, whatever type the browser detects. */
const sandboxPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; sandbox; frame-ancestors 'self'";
/** Browsers do not open their PDF viewer in a sandbox. The viewer itself restricts a PDF. */
const pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";
const yearSeconds = 365 * 24 * 60 * 60;

/** Serves `GET /files/{id}/{name}`: the bytes of an attachment, for everyone who knows the address. */
export function serveFiles(app: Hono<Edge>, service: Service): void {
  const path = "/files/:id/:name";
  app.get(path, async (context) => {
    context.set("route", "/files/{id}/{name}");
    const file = await findFile(service, context.req.param("id"));
    if (file === null) throw notFound("File");
    return answer(context, file);
  });
  app.all(path, (context) => {
    context.header("Allow", "GET, HEAD");
    throw methodNotAllowed("GET, HEAD");
  });
}

async function answer(context: EdgeContext, file: PublicFile): Promise<Response> {
  const { publicId, contentType, size, shown } = file;
  const isHead = context.req.raw.method === "HEAD";
  setHeaders(context, file);
  if (hasNoneMatchTag(context.req.header("If-None-Match"), publicId)) return context.body(null, 304);
  const condition = context.req.header("If-Range");
  // RFC 9110 §13.1.5: a range of another version is not sent. A date never matches, because the file has an entity tag.
  const acceptsRange = condition === undefined || condition === `"${publicId}"`;
  const range = acceptsRange ? readRange(context.req.header("Range"), size) : undefined;
  if (range === null) {
    context.header("Content-Range", `bytes */${size}`);
    return context.body(null, 416);
  }
  context.header("Content-Type", contentType);
  context.header("Content-Disposition", contentDisposition(shown ? "inline" : "attachment", file.name));
  context.header("Content-Length", String(range === undefined ? size : range.end - range.start + 1));
  if (range !== undefined) context.header("Content-Range", `bytes ${range.start}-${range.end}/${size}`);
  const status = range === undefined ? 200 : 206;
  if (isHead) return context.body(null, status);
  const bytes = await file.open(range);
  if (bytes === null) throw notFound("File");
  return context.body(byteStream(bytes), status);
}

/** Sets the headers: the bytes never change, and other sites may embed them, because a channel may publish them. */
function setHeaders(context: EdgeContext, { publicId, contentType, createdAt }: PublicFile): void {
  context.header("Cache-Control", `public, max-age=${yearSeconds}, immutable`);
  context.header("ETag", `"${publicId}"`);
  context.header("Last-Modified", createdAt.toUTCString());
  context.header("Accept-Ranges", "bytes");
  context.header("Cross-Origin-Resource-Policy", "cross-origin");
  context.header("X-Frame-Options", "SAMEORIGIN");
  context.header("Content-Security-Policy", contentType === "application/pdf" ? pdfPolicy : sandboxPolicy);
}
