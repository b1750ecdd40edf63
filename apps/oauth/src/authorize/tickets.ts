import { createHmac } from "node:crypto";
import { deriveKey, isSameSecret } from "@kb/auth";
import type { BrowserSession } from "@kb/http";

/** The hidden field of the consent page: which request the page showed, in which session, and when. */
export type Tickets = {
  issue(loggedIn: BrowserSession, query: string): string;
  /** Returns the query that was shown in this session within the last hour; null for any other ticket. */
  open(loggedIn: BrowserSession, ticket: string): string | null;
};

const lifetimeMs = 3_600_000;

/** Creates tickets. They are sealed, not stored: any number of pages may be open, and each decides on what it showed. */
export function createTickets({ secret, clock }: { secret: string; clock: { now(): Date } }): Tickets {
  const key = deriveKey(secret, "consent to apps");
  const sealOf = ({ actor }: BrowserSession, content: string): string => {
    const sealed = `${actor.teamId} ${actor.credential.id} ${content}`;
    return createHmac("sha256", key).update(sealed).digest("base64url");
  };
  return {
    issue(loggedIn, query) {
      const content = `${clock.now().getTime()}.${query}`;
      return `${sealOf(loggedIn, content)}.${content}`;
    },
    open(loggedIn, ticket) {
      const [, seal = "", content = "", issuedAt = "", query = ""] = /^([\w-]{43})\.((\d+)\.(.*))$/.exec(ticket) ?? [];
      if (!isSameSecret(sealOf(loggedIn, content), seal)) return null;
      return clock.now().getTime() - Number(issuedAt) <= lifetimeMs ? query : null;
    },
  };
}
