import { guardedFetch, type OutgoingAnswer } from "@kb/outgoing";
import { discover } from "./provider.ts";
import type { SingleSignOnSettings } from "./settings.ts";

const timeoutMs = 10_000;
const maxBytes = 1_000_000;

/** The result of a check of the provider. */
type CheckedProvider = {
  /** The number of keys that can sign its ID tokens. */
  readonly keys: number;
  /** The time by the clock of the provider; null if it does not say. */
  readonly time: Date | null;
};

/** Reads the metadata of the provider and its keys, as a log-in does. @throws {Error} if one of them cannot be read */
export async function checkProvider(settings: SingleSignOnSettings): Promise<CheckedProvider> {
  const { jwks_uri: address } = (await discover(settings)).serverMetadata();
  if (address === undefined) throw new Error("its metadata name no jwks_uri");
  // The address is the operator's own choice, often in a private network.
  const outgoing = guardedFetch({ allowPrivateNetwork: true });
  const answer = await outgoing(address, { timeoutMs, maxBytes, headers: { accept: "application/json" } });
  const keys = keysIn(answer);
  if (keys === 0) throw new Error(`${address} answers with status ${answer.status} and without keys`);
  const time = new Date(answer.headers.date ?? "");
  return { keys, time: Number.isNaN(time.getTime()) ? null : time };
}

function keysIn({ status, body }: OutgoingAnswer): number {
  if (status !== 200) return 0;
  try {
    const keys: unknown = Reflect.get(Object(JSON.parse(new TextDecoder().decode(body))), "keys");
    return Array.isArray(keys) ? keys.length : 0;
  } catch {
    return 0;
  }
}
