import { findFile, notFound, type PublicFile, type Service } from "@kb/core";
import {
  byteStream,
  contentDisposition,
  type Edge,
  type EdgeContext,
  ifNoneMatchNames,
  methodNotAllowed,
} from "@kb/http";
import type { Hono } from "hono";
import { readRange } from "./range.ts";

/** Nothing in a file may run, load or frame anything, whatever the browser takes it for. */
const sealed = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; sandbox; frame-ancestors 'self'";
/** A browser's own viewer of PDF does not open in a sandbox; what a PDF may do there is the viewer's to bound. */
const pdf = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";
const aYear = 365 * 24 * 60 * 60;

/** `GET /files/{id}/{name}`: the bytes of an attachment, for whoever was given the address. */
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
  describe(context, file);
  if (ifNoneMatchNames(context.req.header("If-None-Match"), publicId)) return context.body(null, 304);
  const condition = context.req.header("If-Range");
  // RFC 9110 §13.1.5: a part of another version is no part; the date that somebody may send here is never ours.
  const wantsPart = condition === undefined || condition === `"${publicId}"`;
  const range = wantsPart ? readRange(context.req.header("Range"), size) : undefined;
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

/** The bytes behind an address never change, and may be shown on pages of others, where a channel publishes them. */
function describe(context: EdgeContext, { publicId, contentType, createdAt }: PublicFile): void {
  context.header("Cache-Control", `public, max-age=${aYear}, immutable`);
  context.header("ETag", `"${publicId}"`);
  context.header("Last-Modified", createdAt.toUTCString());
  context.header("Accept-Ranges", "bytes");
  context.header("Cross-Origin-Resource-Policy", "cross-origin");
  context.header("X-Frame-Options", "SAMEORIGIN");
  context.header("Content-Security-Policy", contentType === "application/pdf" ? pdf : sealed);
}
