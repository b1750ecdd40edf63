import { randomBytes } from "node:crypto";
import { sealer } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";

/** Browsers drop a cookie of more than 4,096 bytes, its name included; of these there are enough for the longest address to go on to. */
const pieceLength = 3_800;
const maxPieces = 3;

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

/** Keeps what a log-in must bring back, sealed in cookies of the browser that began it. */
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
  const first = secure ? "__Host-kb_sso" : "kb_sso";
  const names = Array.from({ length: maxPieces }, (_, index) => (index === 0 ? first : `${first}_${index}`));
  // Lax: the provider sends the browser back by a link of another site.
  const cookie = { path: "/", httpOnly: true, sameSite: "Lax", secure } as const;
  const random = (): string => randomBytes(32).toString("base64url");

  const write = (context: EdgeContext, value: string): void => {
    for (const [index, name] of names.entries()) {
      const piece = value.slice(index * pieceLength, (index + 1) * pieceLength);
      if (piece !== "") setCookie(context, name, piece, { ...cookie, maxAge: lifetimeMs / 1000 });
      else if (getCookie(context, name) !== undefined) deleteCookie(context, name, cookie);
    }
  };

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
      write(context, Buffer.from(seal(Buffer.from(JSON.stringify(pending)))).toString("base64url"));
      return pending;
    },
    finish(context) {
      const value = names.map((name) => getCookie(context, name) ?? "").join("");
      write(context, "");
      const pending = read(value);
      return pending !== null && pending.until > clock.now().getTime() ? pending : null;
    },
  };
}
