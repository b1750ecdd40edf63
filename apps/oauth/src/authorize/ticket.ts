import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "@kb/auth";
import type { LoggedIn } from "@kb/http";

/** What the consent page sends back with the decision: which request it showed, to whom, and when. */
export type Tickets = {
  issue(loggedIn: LoggedIn, query: string): string;
  /** The query of the request that was shown in this very log-in within the hour; null for all else. */
  open(loggedIn: LoggedIn, ticket: string): string | null;
};

const lifetimeMs = 3_600_000;

/** Nothing is stored: any number of pages may be open, and what one of them showed is what is decided with it. */
export function tickets({ secret, clock }: { secret: string; clock: { now(): Date } }): Tickets {
  const key = deriveKey(secret, "consent to apps");
  const sealOf = ({ actor }: LoggedIn, content: string): Buffer =>
    createHmac("sha256", key).update(`${actor.teamId} ${actor.credential.id} ${content}`).digest();
  return {
    issue(loggedIn, query) {
      const content = `${clock.now().getTime()}.${query}`;
      return `${sealOf(loggedIn, content).toString("base64url")}.${content}`;
    },
    open(loggedIn, ticket) {
      const [, seal = "", content = "", issuedAt = "", query = ""] = /^([\w-]{43})\.((\d+)\.(.*))$/.exec(ticket) ?? [];
      if (!timingSafeEqual(sealOf(loggedIn, content), sealed(seal))) return null;
      return clock.now().getTime() - Number(issuedAt) <= lifetimeMs ? query : null;
    },
  };
}

/** As many bytes as a seal has, whatever was sent. */
function sealed(text: string): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write(text, "base64url");
  return bytes;
}
