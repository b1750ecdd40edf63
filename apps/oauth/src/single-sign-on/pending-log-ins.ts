import { randomBytes } from "node:crypto";
import { sealer } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";

/** Browsers drop a cookie of more than 4,096 bytes, its name included. */
const pieceLength = 3_800;
/** Enough pieces for the longest `returnTo`. */
const maxPieces = 3;

/** The time that a user has for the log-in at the provider. */
const lifetimeMs = 10 * 60_000;

const PendingLogIn = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** Whether the provider has to ask the user to log in, although they may be logged in there. */
  isFresh: z.boolean().default(false),
  until: z.number(),
});

/** The values that a log-in at the provider must bring back, and where the user goes afterwards. */
export type PendingLogIn = z.output<typeof PendingLogIn>;

/** Keeps pending log-ins in sealed cookies of the browser that started them. */
export type PendingLogIns = {
  start(context: EdgeContext, begun: Pick<PendingLogIn, "returnTo" | "isFresh">): PendingLogIn;
  /** Returns the log-in that this browser started, once; null if it started none or has taken too long. */
  finish(context: EdgeContext): PendingLogIn | null;
};

type Options = { readonly secret: string; readonly appUrl: string; readonly clock: { now(): Date } };

/** Creates the pending log-ins of an installation. */
export function createPendingLogIns({ secret, appUrl, clock }: Options): PendingLogIns {
  const { seal, open } = sealer(secret, "single sign-on");
  const cookies = splitCookie(appUrl.startsWith("https:"));

  const parse = (text: string): PendingLogIn | null => {
    try {
      return PendingLogIn.parse(JSON.parse(Buffer.from(open(Buffer.from(text, "base64url"))).toString()));
    } catch {
      return null;
    }
  };

  return {
    start(context, { returnTo, isFresh }) {
      const until = clock.now().getTime() + lifetimeMs;
      const pending = { state: randomText(), nonce: randomText(), verifier: randomText(), returnTo, isFresh, until };
      cookies.write(context, Buffer.from(seal(Buffer.from(JSON.stringify(pending)))).toString("base64url"));
      return pending;
    },
    finish(context) {
      const pending = parse(cookies.read(context));
      cookies.write(context, "");
      return pending !== null && pending.until > clock.now().getTime() ? pending : null;
    },
  };
}

const randomText = (): string => randomBytes(32).toString("base64url");

/** Returns a value that is split over several cookies; writing an empty one deletes them. */
function splitCookie(secure: boolean) {
  const base = secure ? "__Host-kb_sso" : "kb_sso";
  const names = Array.from({ length: maxPieces }, (_, index) => (index === 0 ? base : `${base}_${index}`));
  // Lax: the provider sends the browser back by a link of another site.
  const options = { path: "/", httpOnly: true, sameSite: "Lax", secure } as const;
  return {
    read: (context: EdgeContext): string => names.map((name) => getCookie(context, name) ?? "").join(""),
    write(context: EdgeContext, value: string): void {
      for (const [index, name] of names.entries()) {
        const piece = value.slice(index * pieceLength, (index + 1) * pieceLength);
        if (piece !== "") setCookie(context, name, piece, { ...options, maxAge: lifetimeMs / 1000 });
        else if (getCookie(context, name) !== undefined) deleteCookie(context, name, options);
      }
    },
  };
}
