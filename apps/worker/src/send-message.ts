import type { Message, Outcome } from "@kb/core";
import { type Outgoing, OutgoingError } from "@kb/outgoing";
import { retryAfterSeconds } from "./retry-after.ts";
import { signatureHeaders } from "./signature-headers.ts";

/** How messages are sent. */
export type SendOptions = {
  readonly outgoing: Outgoing;
  /** Time that a receiver has to answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string;
};

/** Bytes of an answer that the log of deliveries keeps. */
const keptBytes = 2_048;

const unreadableSecret =
  "Not sent: the secret of this webhook was encrypted under another APP_SECRET and cannot be read. Give the webhook a new secret.";

/** Makes one attempt to send a message. Call it outside any transaction, because receivers may be slow. */
export async function sendMessage(options: SendOptions, message: Message, now: Date): Promise<Outcome> {
  const { outgoing, timeoutMs, userAgent } = options;
  const { url, id, body, secrets } = message;
  if (secrets === null) return { status: null, body: unreadableSecret, latencyMs: 0 };
  const timestamp = Math.floor(now.getTime() / 1000);
  const startedAt = performance.now();
  const latency = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await outgoing(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": userAgent,
        ...signatureHeaders({ id, timestamp, body, secrets }),
      },
      body,
      timeoutMs,
      maxBytes: keptBytes,
      onOversize: "truncate",
    });
    return {
      status: answer.status,
      body: readableText(answer.body),
      latencyMs: latency(),
      retryAfterSeconds: retryAfterSeconds(answer.headers["retry-after"], now),
    };
  } catch (error) {
    // The error of a receiver may be shown to the team. Anything else is a defect.
    if (!(error instanceof OutgoingError)) throw error;
    return { status: null, body: error.message, latencyMs: latency() };
  }
}

/** Decodes any bytes to text that PostgreSQL can store and a page can show. */
function readableText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll("\u0000", "\ufffd");
}
