import { type Html, html } from "./html.ts";
import { emojiOf } from "./rows.ts";

type MainPart = {
  readonly title: string;
  readonly emoji?: string | null;
  readonly before?: Html | string;
  /** The place of the app's buttons beside the heading. */
  readonly actions?: Html | string;
  readonly isWide?: boolean;
  readonly content: Html;
};

/** Renders the main part of a page with the same elements as the app's `Screen`. */
export function mainPart({ title, emoji = null, before = "", actions = "", isWide = false, content }: MainPart): Html {
  return html`<main id="main" class="main" tabindex="-1"><div class="column${isWide ? " wide" : ""}">
${before}
<div class="title-row"><h1 tabindex="-1" dir="auto">${emojiOf(emoji)}${title}</h1>${actions}</div>
${content}
</div></main>`;
}
