import { type CallMetadata, type Continuation, invalid, type Service, ServiceError } from "@kb/core";
import type { Limiter } from "@kb/runtime";
import { metered } from "@kb/telemetry";
import type { Hono } from "hono";
import { requireCaller, requireUser } from "./authenticate.ts";
import { countBurst } from "./burst-limit.ts";
import { contentDisposition } from "./content-disposition.ts";
import type { Edge, EdgeContext } from "./edge.ts";
import { methodNotAllowed } from "./error-handlers.ts";
import { answerAsCaller } from "./expected-caller.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { readJsonBody } from "./json-body.ts";
import { type PathReader, pathReader } from "./path-parameters.ts";
import { entityTag, hasNoneMatchTag, readIfMatch } from "./preconditions.ts";
import { type QueryReader, queryReader } from "./query-string.ts";
import type { FileAnswer, Row } from "./route.ts";
import { sendArchiveInTurn } from "./send-in-turn.ts";
import { sendJson } from "./send-json.ts";
import type { OpenStreams } from "./streams/open-streams.ts";
import { sendChanges } from "./streams/send-changes.ts";
import { sendLive } from "./streams/send-live.ts";
import { subjectOf } from "./subject.ts";

/** The services of some rows: the open streams of the process, and the limiter of those that have a burst. */
type RowServices = { readonly streams?: OpenStreams | undefined; readonly limiter?: Limiter | undefined };

/** Serves the rows, and answers `OPTIONS` and the missing methods of each path, the latter with 405. */
export function serveRows(
  app: Hono<Edge>,
  service: Service,
  rows: readonly Row[],
  { streams, limiter }: RowServices = {},
): void {
  for (const [path, sharing] of Map.groupBy(rows, (row) => row.path)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const row of sharing) app.on(row.method.toUpperCase(), pattern, handler(service, row, { streams, limiter }));
    const [first] = sharing;
    if (first !== undefined) app.all(pattern, refuseMethod(first, allowedMethods(sharing)));
  }
}

function allowedMethods(rows: readonly Row[]): string {
  const methods = rows.map((row) => row.method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
}

/** Answers a method that the path lacks. An id that cannot exist is a 404 first, whatever the method. */
function refuseMethod(row: Row, allow: string) {
  const readPath = pathReader(row.path, row.fields);
  return (context: EdgeContext) => {
    context.set("route", row.path);
    readPath(context.req.param());
    context.header("Allow", allow);
    if (context.req.method === "OPTIONS") return context.body(null, 204);
    throw methodNotAllowed(allow);
  };
}

function handler(service: Service, row: Row, { streams, limiter }: RowServices) {
  const { burst, name } = row;
  if (burst !== undefined && limiter === undefined) throw new Error(`${name} has a burst, which needs a limiter`);
  const readPath = pathReader(row.path, row.fields);
  const ownFields = row.fields.filter((field) => !row.pathParameters.includes(field.name));
  const readQuery = queryReader(row.method === "get" ? ownFields : []);
  return async (context: EdgeContext): Promise<Response> => {
    context.set("route", row.path);
    context.set("operation", row.name);
    const { raw, call } = await readCall(context, row, readPath, readQuery);
    if (burst !== undefined && limiter !== undefined) await countBurst(context, limiter, { name, burst }, raw);
    const { answer, continuation } = await answerAsCaller(context, requireCaller, async (caller, expected) => {
      const continuation: Continuation = {};
      return { answer: await row.answer(service, caller, raw, { ...call, expected, continuation }), continuation };
    });
    for (const [name, value] of Object.entries(row.headers)) context.header(name, value);
    if (call.idempotency?.replayed === true) context.header("Idempotency-Replayed", "true");
    const { tag } = answer;
    if (tag !== undefined) {
      if (row.method === "get" && typeof tag === "number") requireMatch(call.expectedRevisions, tag);
      context.header("ETag", entityTag(tag));
      if (row.method === "get" && hasNoneMatchTag(context.req.header("If-None-Match"), tag)) {
        return context.body(null, 304);
      }
    }
    if (answer.changes !== undefined) {
      if (streams === undefined) throw new ServiceError("unavailable", "This process serves no streams.");
      return sendChanges(context, streams, answer.changes, service.clock.now());
    }
    if (answer.live !== undefined) {
      if (streams === undefined) throw new ServiceError("unavailable", "This process serves no streams.");
      return sendLive(context, streams, answer.live, service.clock.now());
    }
    return answer.file === undefined
      ? metered(() => sendJson(context, { ...answer, continuation, isChange: row.isChange }))
      : sendFile(context, row.bodyType, answer.file);
  };
}

async function sendFile(context: EdgeContext, type: string, { name, bytes }: FileAnswer): Promise<Response> {
  context.header("Content-Type", type);
  context.header("Content-Disposition", contentDisposition("attachment", name));
  if (context.req.raw.method === "HEAD") return context.body(null);
  return context.body(await sendArchiveInTurn(context, bytes));
}

/** Reads the input and the metadata of a request. A key of the path is not accepted in the body. */
async function readCall(
  context: EdgeContext,
  row: Row,
  readPath: PathReader,
  readQuery: QueryReader,
): Promise<{ raw: Record<string, unknown>; call: CallMetadata }> {
  const request = context.req.raw;
  const fromPath = readPath(context.req.param());
  const fromQuery = readQuery(new URL(request.url).searchParams);
  const expectedRevisions = readIfMatch(context.req.header("If-Match"));
  if (expectedRevisions !== undefined && !row.takesIfMatch) {
    throw invalid("If-Match", "This endpoint has no ETag to compare with");
  }
  const call = { expectedRevisions, address: context.get("address"), requestId: context.get("requestId") };
  if (row.method === "get") return { raw: { ...fromQuery, ...lastEventId(context, row), ...fromPath }, call };
  const { bytes, value } = context.get("body") ?? (await readJsonBody(request, subjectOf(context)));
  const twice = row.pathParameters.find((name) => Object.hasOwn(value, name));
  if (twice !== undefined) throw invalid(twice, "Not accepted in the body: the path has it already");
  const idempotency = row.method === "post" ? readIdempotencyKey(request, requireUser(context), bytes) : undefined;
  if (idempotency !== undefined && !row.takesIdempotencyKey) {
    throw invalid("Idempotency-Key", "Not accepted here: the answer is not stored for retries");
  }
  return { raw: { ...value, ...fromPath }, call: { ...call, idempotency } };
}

/** A browser that reconnects names the last event in a header, which takes precedence over the query. */
function lastEventId(context: EdgeContext, row: Row): { lastEventId?: string } {
  const named = row.isStream ? context.req.header("Last-Event-ID") : undefined;
  return named === undefined || named === "" ? {} : { lastEventId: named };
}

function requireMatch(expectedRevisions: readonly number[] | undefined, revision: number): void {
  if (expectedRevisions === undefined || expectedRevisions.includes(revision)) return;
  throw new ServiceError("revision_conflict", "The revision has changed.", {
    details: [{ path: "expectedRevisions", message: "Does not name the current revision", currentRevision: revision }],
  });
}
