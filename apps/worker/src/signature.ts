import { createHmac } from "node:crypto";

/** What a delivery is signed as. */
export type Signed = {
  readonly id: string;
  /** The moment of this attempt, in whole seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  /** The secrets that are valid now: each signs. */
  readonly secrets: readonly Uint8Array[];
};

/** The three headers of Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`, one signature a secret. */
export function signatureHeaders({ id, timestamp, body, secrets }: Signed): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${mac}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
