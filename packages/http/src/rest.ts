import { type Call, invalid, type Service, ServiceError } from "@kb/core";
import type { Hono } from "hono";
import { actorOf, callerOf } from "./authenticate.ts";
import { readJsonBody } from "./body.ts";
import { byteStream } from "./byte-stream.ts";
import { contentDisposition } from "./content-disposition.ts";
import type { Edge, EdgeContext } from "./edge.ts";
import { methodNotAllowed } from "./errors.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { type PathReader, pathReader } from "./path-parameters.ts";
import { entityTag, ifNoneMatchNames, readIfMatch } from "./preconditions.ts";
import { type QueryReader, queryReader } from "./query-string.ts";
import type { FileAnswer, Row } from "./route.ts";

/** Serves the rows, and for each of their paths the 405 and `OPTIONS` of the methods that it lacks. */
export function serveRows(app: Hono<Edge>, service: Service, rows: readonly Row[]): void {
  for (const [path, sharing] of Map.groupBy(rows, (row) => row.path)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const row of sharing) app.on(row.method.toUpperCase(), pattern, handler(service, row));
    const [first] = sharing;
    if (first !== undefined) app.all(pattern, refusal(first, allowed(sharing)));
  }
}

function allowed(rows: readonly Row[]): string {
  const methods = rows.map((row) => row.method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
}

/** An id that cannot exist is a 404 before its method is looked at. */
function refusal(row: Row, allow: string) {
  const readPath = pathReader(row.path, row.fields);
  return (context: EdgeContext) => {
    context.set("route", row.path);
    readPath(context.req.param());
    context.header("Allow", allow);
    if (context.req.method === "OPTIONS") return context.body(null, 204);
    throw methodNotAllowed(allow);
  };
}

function handler(service: Service, row: Row) {
  const readPath = pathReader(row.path, row.fields);
  const ownFields = row.fields.filter((field) => !row.pathParameters.includes(field.name));
  const readQuery = queryReader(row.method === "get" ? ownFields : []);
  return async (context: EdgeContext): Promise<Response> => {
    context.set("route", row.path);
    context.set("operation", row.name);
    const { raw, call } = await readCall(context, row, readPath, readQuery);
    const answer = await row.answer(service, callerOf(context), raw, call);
    for (const [name, value] of Object.entries(row.headers)) context.header(name, value);
    if (call.idempotency?.replayed === true) context.header("Idempotency-Replayed", "true");
    const { tag } = answer;
    if (tag !== undefined) {
      if (row.method === "get" && typeof tag === "number") requireMatch(call.ifMatch, tag);
      context.header("ETag", entityTag(tag));
      if (row.method === "get" && ifNoneMatchNames(context.req.header("If-None-Match"), tag)) {
        return context.body(null, 304);
      }
    }
    return answer.file === undefined
      ? context.json(answer.body, answer.status)
      : sendFile(context, row.bodyType, answer.file);
  };
}

function sendFile(context: EdgeContext, type: string, { name, bytes }: FileAnswer): Response {
  context.header("Content-Type", type);
  context.header("Content-Disposition", contentDisposition("attachment", name));
  return context.req.raw.method === "HEAD" ? context.body(null) : context.body(byteStream(bytes));
}

/** Reads all of a request: the path beats the body on the same key. */
async function readCall(
  context: EdgeContext,
  row: Row,
  readPath: PathReader,
  readQuery: QueryReader,
): Promise<{ raw: Record<string, unknown>; call: Call }> {
  const request = context.req.raw;
  const fromPath = readPath(context.req.param());
  const fromQuery = readQuery(new URL(request.url).searchParams);
  const ifMatch = readIfMatch(context.req.header("If-Match"));
  if (ifMatch !== undefined && !row.takesIfMatch) throw invalid("If-Match", "Nothing here has an ETag to compare with");
  const { address, requestId, csrfToken } = context.var;
  const call = { ifMatch, address, requestId, csrfToken };
  if (row.method === "get") return { raw: { ...fromQuery, ...fromPath }, call };
  const { bytes, value } = context.var.body ?? (await readJsonBody(request));
  const idempotency = row.method === "post" ? readIdempotencyKey(request, actorOf(context), bytes) : undefined;
  if (idempotency !== undefined && !row.takesIdempotencyKey) {
    throw invalid("Idempotency-Key", "Not taken here: the answer holds a secret and is not kept");
  }
  return { raw: { ...value, ...fromPath }, call: { ...call, idempotency } };
}

function requireMatch(ifMatch: readonly number[] | undefined, revision: number): void {
  if (ifMatch === undefined || ifMatch.includes(revision)) return;
  throw new ServiceError("revision_conflict", "The revision is another one by now.", {
    details: [{ path: "If-Match", message: "Does not name the current revision", currentRevision: revision }],
  });
}
