import type { PluralForms } from "./plural.ts";

const secondsPerMinute = 60;
const minutesPerHour = 60;
/** Up to here, minutes say more than rounded hours. */
const mostMinutes = 90;

type SpanForms = { readonly seconds: PluralForms; readonly minutes: PluralForms; readonly hours: PluralForms };

/**
 * Returns a function that words a number of seconds as people say it: as seconds below a minute, as minutes, which are begun ones, and
 * as rounded hours from an hour and a half.
 */
export function spans(
  count: (count: number, forms: PluralForms) => string,
  forms: SpanForms,
): (seconds: number) => string {
  return (seconds) => {
    if (seconds < secondsPerMinute) return count(seconds, forms.seconds);
    const minutes = Math.ceil(seconds / secondsPerMinute);
    return minutes < mostMinutes
      ? count(minutes, forms.minutes)
      : count(Math.round(minutes / minutesPerHour), forms.hours);
  };
}
