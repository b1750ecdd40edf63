import { type Continuation, ServiceError } from "@kb/core";
import { metered } from "@kb/telemetry";
import { ClientGone } from "./client-gone.ts";
import type { EdgeContext } from "./edge.ts";
import { heavyBytes } from "./heavy-answers.ts";
import { encodePieces, isList, jsonPieces, type List, rowParts } from "./json-pieces.ts";
import { ownPass } from "./own-pass.ts";
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
  context.header("Content-Type", "application/json");
  if (rest !== undefined && isList(body) && !isHead) {
    return context.body(await sendInTurn(context, pageBytes(body, rest)), status);
  }
  const pieces = jsonPieces(body);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (isHead || length < heavyBytes) return context.body(bodyOf(pieces, length), status);
  const stream = sendInTurn(context, bytesOf(pieces));
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

async function* bytesOf(pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  await ownPass();
  yield metered(() => encodePieces(pieces));
}

/** Returns a list with its rows at the end, and those that follow them. Others have a turn between two parts. */
async function* pageBytes(
  { data, ...head }: List,
  rest: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  const end = "]}";
  yield encodePieces([JSON.stringify({ ...head, data: [] }).slice(0, -end.length)]);
  yield* rowBytes(data, true);
  let isFirst = data.length === 0;
  for await (const rows of rest) {
    yield* rowBytes(rows, isFirst);
    isFirst &&= rows.length === 0;
  }
  yield encodePieces([end]);
}

async function* rowBytes(rows: readonly unknown[], isFirst: boolean): AsyncGenerator<Uint8Array> {
  const parts = rowParts(rows, isFirst);
  const next = (): Uint8Array | undefined => {
    const { done, value } = parts.next();
    return done === true ? undefined : encodePieces(value);
  };
  for (;;) {
    await ownPass();
    const bytes = metered(next);
    if (bytes === undefined) return;
    yield bytes;
  }
}
