import { timeFormat } from "../../messages/dates.ts";
import type { Locale, Messages } from "../../messages/index.ts";

/** Returns what is said above the stored states: that there is only the first, or why numbers may be missing. */
export const historyNote = (
  total: number,
  entries: readonly { readonly revision: number }[],
  messages: Messages,
): string => (total === 1 && entries[0]?.revision === 1 ? messages.historyOne : messages.historyStored);

/** Groups the stored states of a document by day, in their order. */
export function historyDays<Entry extends { readonly createdAt: string }>(
  entries: readonly Entry[],
  locale: Locale,
): (readonly [day: string, entries: readonly Entry[]])[] {
  const day = timeFormat(locale, "day");
  return [...Map.groupBy(entries, ({ createdAt }) => day.format(new Date(createdAt)))];
}

type Credential = { readonly credentialKind: string; readonly credentialName: string | null };

/** Returns the name of the key or app that made a state; null for a person in a browser. */
export const credentialOf = ({ credentialKind, credentialName }: Credential): string | null =>
  credentialKind === "session" || credentialKind === "live" ? null : credentialName;
