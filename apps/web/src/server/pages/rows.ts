import type { DocumentRow } from "../../client/api/listed-documents.ts";
import { shownSymbol } from "../../client/parts/shown-symbol.ts";
import { type TimeForm, timeFormat } from "../../messages/dates.ts";
import type { Preferences } from "../preferences.ts";
import { type Html, html } from "./html.ts";

type Row = DocumentRow & {
  /** Text below the title. */
  readonly detail?: Html | string;
};

/** Renders a list of documents, each a link to its page. */
export function rows(preferences: Preferences, list: readonly Row[]): Html {
  const { messages } = preferences;
  return html`<ul class="rows">
${list.map(
  ({
    id,
    title,
    emoji,
    isDraft = false,
    path = [],
    updatedAt,
    timeForm,
    left,
    detail,
  }) => html`<li><a href="/documents/${id}">
<span class="row-title"><bdi>${emojiOf(emoji)}${title || messages.untitled}</bdi>${isDraft ? html` <span class="tag">${messages.draft}</span>` : ""}</span>
<span class="row-detail">${detail === undefined ? "" : html`<span dir="auto">${detail}</span>`}${path.length === 0 ? "" : html`<bdi>${path.join(" / ")}</bdi> · `}${timeOf({ updatedAt, timeForm, left }, preferences)}</span>
</a></li>
`,
)}</ul>`;
}

/** Renders when the document was put into the archive or the trash, else its last change. */
function timeOf(
  { updatedAt, timeForm, left }: Pick<Row, "updatedAt" | "timeForm" | "left">,
  preferences: Preferences,
): Html | string {
  const { messages } = preferences;
  if (left === undefined) return updatedAt === undefined ? "" : when(preferences, updatedAt, timeForm);
  const by = left.by === undefined ? "" : html` · <bdi>${left.by}</bdi>`;
  return html`${left.for === "trash" ? messages.movedToTrash : messages.movedToArchive} ${when(preferences, left.time)}${by}`;
}

/** Renders the emoji before a title. It says nothing that the title does not. */
export function emojiOf(emoji: string | null): Html | string {
  const symbol = shownSymbol(emoji);
  return symbol === null ? "" : html`<span aria-hidden="true">${symbol} </span>`;
}

/** Renders a time, by default its day, and the exact time for those who point at it. */
export function when({ locale }: Preferences, time: string, form: TimeForm = "day"): Html {
  const date = new Date(time);
  const exact = timeFormat(locale, "exact").format(date);
  return html`<time datetime="${time}" data-form="${form}" title="${exact}">${timeFormat(locale, form).format(date)}</time>`;
}
