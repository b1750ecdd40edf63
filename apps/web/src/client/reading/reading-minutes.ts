/** Letters of a script with spaces that a reader reads in a minute, at 230 words of about 5.5 letters. */
const lettersPerMinute = 1_265;

/** Returns the minutes that reading the HTML of a document takes, at least 1. An estimate from its length. */
export function readingMinutes(html: string): number {
  return Math.max(1, Math.round(html.replace(/<[^>]*>/g, "").length / lettersPerMinute));
}
