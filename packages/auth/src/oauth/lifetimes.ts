/** Lifetimes of codes, tokens and grants, in seconds. */
export type OauthLifetimes = {
  readonly codeSeconds: number;
  readonly accessSeconds: number;
  /** Since the last refresh. */
  readonly refreshSeconds: number;
  /** Since the consent, regardless of refreshes. */
  readonly grantSeconds: number;
};

const day = 24 * 3600;

/** The default lifetimes. */
export const defaultLifetimes: OauthLifetimes = {
  codeSeconds: 60,
  accessSeconds: 3600,
  refreshSeconds: 30 * day,
  grantSeconds: 180 * day,
};

const after = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);
const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** Returns when a code that is issued now expires. */
export const codeExpiry = (now: Date, { codeSeconds }: OauthLifetimes): Date => after(now, codeSeconds);

/** Returns when a grant and its refresh token expire unless they are refreshed again. */
export function refreshExpiry(now: Date, grantedAt: Date, { refreshSeconds, grantSeconds }: OauthLifetimes): Date {
  return earlier(after(now, refreshSeconds), after(grantedAt, grantSeconds));
}

/** Returns when an access token expires: never after its grant. */
export function accessExpiry(now: Date, grantEndsAt: Date, { accessSeconds }: OauthLifetimes): Date {
  return earlier(after(now, accessSeconds), grantEndsAt);
}
