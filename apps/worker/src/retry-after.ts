/**
 * Reads `Retry-After`, a number of seconds or a date (RFC 9110 §10.2.3), as seconds from now. Returns undefined for a time
 * in the past and for anything else.
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  const at = Date.parse(header);
  if (Number.isNaN(at) || at <= now.getTime()) return undefined;
  return Math.ceil((at - now.getTime()) / 1000);
}
