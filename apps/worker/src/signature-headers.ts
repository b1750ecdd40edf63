import { createHmac } from "node:crypto";

/** The parts of a delivery that its signature covers. */
export type SignedParts = {
  readonly id: string;
  /** The time of this attempt, in whole seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  /** The secrets that are valid now. Each one signs. */
  readonly secrets: readonly Uint8Array[];
};

/** Returns the three headers of Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`, one signature per secret. */
export function signatureHeaders({ id, timestamp, body, secrets }: SignedParts): Record<string, string> {
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
