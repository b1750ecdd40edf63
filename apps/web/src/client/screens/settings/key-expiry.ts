/** How long a new key works. */
export const expiries = ["days30", "days90", "year", "date", "never"] as const;
/** One of `expiries`. */
export type Expiry = (typeof expiries)[number];

const days: Readonly<Partial<Record<Expiry, number>>> = { days30: 30, days90: 90, year: 365 };
const dayMs = 86_400_000;

/** Returns the time at which a key ends, null for never. `day` is the last day of the choice `date`, as a field gives it. */
export function expiryOf(expiry: Expiry, day: string): string | null {
  const length = days[expiry];
  if (length !== undefined) return new Date(Date.now() + length * dayMs).toISOString();
  return expiry === "date" ? new Date(`${day}T23:59:59`).toISOString() : null;
}

/** Returns this day where the reader is, as a field of dates has it. */
export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
