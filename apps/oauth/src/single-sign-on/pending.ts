import { randomBytes } from "node:crypto";
import { sealer } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";

/** A log-in has so long at the provider. */
const lifetimeMs = 10 * 60_000;

const Pending = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  until: z.number(),
});
type PendingLogIn = z.output<typeof Pending>;

/** Keeps what a log-in must bring back, in a sealed cookie of the browser that began it. */
export type PendingLogIns = {
  begin(context: EdgeContext, returnTo: string): PendingLogIn;
  /** What this browser began; each counts once. Null where it began nothing, or too long ago. */
  finish(context: EdgeContext): PendingLogIn | null;
};

/** The pending log-ins of an installation. */
export function pendingLogIns(options: { secret: string; appUrl: string; clock: { now(): Date } }): PendingLogIns {
  const { secret, appUrl, clock } = options;
  const { seal, open } = sealer(secret, "single sign-on");
  const secure = appUrl.startsWith("https:");
  const name = secure ? "__Host-kb_sso" : "kb_sso";
  // Lax: the provider sends the browser back by a link of another site.
  const cookie = { path: "/", httpOnly: true, sameSite: "Lax", secure } as const;
  const random = (): string => randomBytes(32).toString("base64url");

  const read = (text: string): PendingLogIn | null => {
    try {
      return Pending.parse(JSON.parse(Buffer.from(open(Buffer.from(text, "base64url"))).toString()));
    } catch {
      return null;
    }
  };

  return {
    begin(context, returnTo) {
      const until = clock.now().getTime() + lifetimeMs;
      const pending = { state: random(), nonce: random(), verifier: random(), returnTo, until };
      const value = Buffer.from(seal(Buffer.from(JSON.stringify(pending)))).toString("base64url");
      setCookie(context, name, value, { ...cookie, maxAge: lifetimeMs / 1000 });
      return pending;
    },
    finish(context) {
      const value = getCookie(context, name);
      deleteCookie(context, name, cookie);
      const pending = value === undefined ? null : read(value);
      return pending !== null && pending.until > clock.now().getTime() ? pending : null;
    },
  };
}
