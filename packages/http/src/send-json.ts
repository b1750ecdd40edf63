import { type Continuation, ServiceError } from "@kb/core";
import { metered } from "@kb/telemetry";
import { ClientGone } from "./client-gone.ts";
import type { EdgeContext } from "./edge.ts";
import { heavyBytes } from "./heavy-answers.ts";
import { encodePieces, jsonPieces } from "./json-pieces.ts";
import { sendInTurn } from "./send-in-turn.ts";

/** An answer as JSON. */
type JsonAnswer = {
  readonly status: 200 | 201;
  readonly body: unknown;
  /** Has the rows that follow those of `body.data`, read as the client takes them. */
  readonly continuation: Continuation;
  /** Whether something was changed. Its answer is never refused: a client would take the change for not made. */
  readonly isChange: boolean;
};

/**
 * Sends an answer as JSON. One of more than `heavyBytes` waits for its turn.
 * @throws {ServiceError} `unavailable` if too many wait, unless the answer is that of a change
 */
export async function sendJson(
  context: EdgeContext,
  { status, body, continuation, isChange }: JsonAnswer,
): Promise<Response> {
  const { rest } = continuation;
  const isHead = context.req.method === "HEAD";
  const pieces = jsonPieces(rest === undefined ? body : withDataLast(body));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  context.header("Content-Type", "application/json");
  if (isHead || (rest === undefined && length < heavyBytes)) return context.body(bodyOf(pieces, length), status);
  const stream = sendInTurn(context, bytesOf(pieces.join(""), rest));
  if (!isChange) return context.body(await stream, status);
  const sent = await stream.catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error instanceof ClientGone) throw error;
    return bodyOf(pieces, length);
  });
  return context.body(sent, status);
}

/** A short answer is sent faster as text. */
const longText = 10_000;

const bodyOf = (pieces: readonly string[], length: number): string | Uint8Array<ArrayBuffer> =>
  length < longText ? pieces.join("") : encodePieces(pieces);

/** Moves the rows to the end, so that others can follow. */
function withDataLast(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("data" in body)) return body;
  const { data, ...head } = body;
  return { ...head, data };
}

const encoder = new TextEncoder();

async function* bytesOf(text: string, rest: Continuation["rest"]): AsyncGenerator<Uint8Array> {
  if (rest === undefined) {
    yield metered(() => encoder.encode(text));
    return;
  }
  const end = "]}";
  yield metered(() => encoder.encode(text.slice(0, -end.length)));
  let isFirst = text.endsWith("[]}");
  for await (const rows of rest) {
    if (rows.length === 0) continue;
    const followsOthers = !isFirst;
    yield metered(() => rowsOf(rows, followsOthers));
    isFirst = false;
  }
  yield encoder.encode(end);
}

/** Returns rows as a part of an array. The comma takes the place of the bracket, because a text of megabytes is costly to copy. */
function rowsOf(rows: readonly unknown[], followsOthers: boolean): Uint8Array {
  const bytes = encoder.encode(JSON.stringify(rows));
  if (followsOthers) bytes.set(comma);
  return bytes.subarray(followsOthers ? 0 : 1, -1);
}

const comma = encoder.encode(",");
