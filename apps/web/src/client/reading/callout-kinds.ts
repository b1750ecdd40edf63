import { calloutKinds } from "../../messages/callout-kinds.ts";
import type { Locale } from "../../messages/index.ts";

/** The start of a callout without a title, which shows its kind. All text is escaped, so no text of a document looks like this. */
const untitled =
  /(<(?:div|details) class="callout callout-([a-z][a-z0-9_-]*)"[^<>]*>\n<(p|summary)><bdi>)\2(?=<\/bdi><\/\3>)/g;

/**
 * Returns the HTML of a document in which callouts without a title show their kind in the reader's language. The codec isolates the
 * word, so that the text of the callout decides its direction.
 */
export function withCalloutKinds(html: string, locale: Locale): string {
  const words = calloutKinds[locale];
  return html.replace(untitled, (_, start: string, kind: string) => `${start}${words?.get(kind) ?? kind}`);
}
