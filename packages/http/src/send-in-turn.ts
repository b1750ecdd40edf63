import { byteStream } from "./byte-stream.ts";
import type { EdgeContext } from "./edge.ts";
import { defaultWaitMs, HeavyAnswers, heavyBytes } from "./heavy-answers.ts";
import { subjectOf } from "./subject.ts";
import { untilStalled } from "./until-stalled.ts";

/** The heavy answers of the process, of REST and MCP together. */
const heavyAnswers = new HeavyAnswers();

/**
 * Archives take turns among themselves: one is made of a file at a time and may take minutes, so that pages would wait for long, and
 * none of memory. A third one of a caller waits as long as one of another.
 */
const archives = new HeavyAnswers({ ownWaitMs: defaultWaitMs });

/**
 * Streams a heavy answer when it is its turn. A client that takes nothing for 30 seconds is disconnected.
 * @throws {ServiceError} `unavailable` if too many wait, or it has waited for too long
 */
export async function sendInTurn(
  context: EdgeContext,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  answers: HeavyAnswers = heavyAnswers,
): Promise<ReadableStream<Uint8Array>> {
  const { watch, end, disconnect } = await takeTurn(context, answers);
  return byteStream(untilStalled(watch(parts), end, disconnect));
}

/** Does the same for an archive. @throws {ServiceError} as `sendInTurn` */
export const sendArchiveInTurn = (
  context: EdgeContext,
  parts: AsyncIterable<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> => sendInTurn(context, parts, archives);

/** Returns the body of an answer: the text, or a stream that begins when it is its turn. @throws {ServiceError} as `sendInTurn` */
export async function textInTurn(context: EdgeContext, text: string): Promise<string | ReadableStream<Uint8Array>> {
  return text.length < heavyBytes ? text : sendInTurn(context, [new TextEncoder().encode(text)]);
}

async function takeTurn(context: EdgeContext, answers: HeavyAnswers) {
  const { signal } = context.req.raw;
  const disconnect = (): void => void context.env?.outgoing?.destroy();
  const { watch, end } = await answers.enter(subjectOf(context), signal, disconnect);
  // A client that disconnects before it reads anything never starts the stream.
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return { watch, end, disconnect };
}
