import type { Message, Outcome } from "@kb/core";
import { type Outgoing, OutgoingError } from "@kb/outgoing";
import { retryAfterSeconds } from "./retry-after.ts";
import { signatureHeaders } from "./signature.ts";

/** What deliveries stand on. */
export type Delivering = {
  readonly outgoing: Outgoing;
  /** A receiver has this long to answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string;
};

/** So much of an answer is kept in the log, in bytes. */
const keptBytes = 2_048;

const lostSecret =
  "Not sent: the secret of this webhook cannot be opened, as APP_SECRET is not the one under which it was made. Give the webhook a new secret.";

/** Makes one attempt. No transaction is open while the receiver takes its time. */
export async function attempt(delivering: Delivering, message: Message, now: Date): Promise<Outcome> {
  const { outgoing, timeoutMs, userAgent } = delivering;
  const { url, id, body, secrets } = message;
  if (secrets === null) return { status: null, body: lostSecret, latencyMs: 0 };
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
      body: shown(answer.body),
      latencyMs: latency(),
      retryAfterSeconds: retryAfterSeconds(answer.headers["retry-after"], now),
    };
  } catch (error) {
    // What the receiver's machine says of itself is no secret of ours; anything else is a defect and is thrown.
    if (!(error instanceof OutgoingError)) throw error;
    return { status: null, body: error.message, latencyMs: latency() };
  }
}

/** Text that PostgreSQL takes and a page can show, whatever the bytes are. */
function shown(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll("\u0000", "\ufffd");
}
