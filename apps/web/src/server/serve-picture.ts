import { invoke, notFound, operations, type Service } from "@kb/core";
import { type EdgeContext, hasNoneMatchTag, requireUser } from "@kb/http";
import type { z } from "zod";

/** Nothing in an image runs, whatever a browser takes it for, and no other site shows it. */
const inert: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  Vary: "Cookie",
};

/** Refuses somebody without a session: pictures are not there for others. @throws {ServiceError} `not_found` */
export function refusePicture(): never {
  throw notFound("Picture");
}

/** Refuses somebody without a session, as a team without a logo does. @throws {ServiceError} `not_found` */
export function refuseLogo(): never {
  throw notFound("Logo");
}

type Dependencies = { readonly service: Service };

/**
 * Answers with the picture of a user.
 * @throws {ServiceError} `not_found`, also for a picture that the reader may not see
 */
export async function answerPicture(context: EdgeContext, { service }: Dependencies): Promise<Response> {
  const id = context.req.param("userId") ?? "";
  return answerImage(context, await invoke(service, operations.getPicture, requireUser(context), { id }));
}

/**
 * Answers with the logo of the reader's team.
 * @throws {ServiceError} `not_found` if there is none
 */
export async function answerLogo(context: EdgeContext, { service }: Dependencies): Promise<Response> {
  return answerImage(context, await invoke(service, operations.getLogo, requireUser(context), {}));
}

type Image = z.output<typeof operations.getPicture.output>;

/** Answers with an image. A browser keeps the version that its address names for a day. */
function answerImage(context: EdgeContext, { contentType, version, bytes }: Image): Response {
  for (const [name, value] of Object.entries(inert)) context.header(name, value);
  const isNamed = context.req.query("version") === version;
  context.header("Cache-Control", isNamed ? "private, max-age=86400, immutable" : "private, no-cache");
  context.header("ETag", `"${version}"`);
  if (hasNoneMatchTag(context.req.header("If-None-Match"), version)) return context.body(null, 304);
  context.header("Content-Type", contentType);
  return context.body(bytes);
}
