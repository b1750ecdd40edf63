/** How long what apps are given lasts, in seconds. */
export type OauthLifetimes = {
  readonly codeSeconds: number;
  readonly accessSeconds: number;
  /** From the last refresh. */
  readonly refreshSeconds: number;
  /** From the consent, however often it is refreshed. */
  readonly grantSeconds: number;
};

const day = 24 * 3600;

/** What holds where nothing else is set. */
export const defaultLifetimes: OauthLifetimes = {
  codeSeconds: 60,
  accessSeconds: 3600,
  refreshSeconds: 30 * day,
  grantSeconds: 180 * day,
};

const after = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);
const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** When a code that is issued now runs out. */
export const codeExpiry = (now: Date, { codeSeconds }: OauthLifetimes): Date => after(now, codeSeconds);

/** When a grant ends, and its refresh token with it, unless it is refreshed once more. */
export function refreshExpiry(now: Date, grantedAt: Date, { refreshSeconds, grantSeconds }: OauthLifetimes): Date {
  return earlier(after(now, refreshSeconds), after(grantedAt, grantSeconds));
}

/** When an access token runs out: never after its grant. */
export function accessExpiry(now: Date, grantEndsAt: Date, { accessSeconds }: OauthLifetimes): Date {
  return earlier(after(now, accessSeconds), grantEndsAt);
}
