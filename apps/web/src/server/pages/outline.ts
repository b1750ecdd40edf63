import type { Preferences } from "../preferences.ts";
import { documentHtml, type Html, html } from "./html.ts";

/** The most headings that an outline lists. */
const mostHeadings = 200;
const heading = /<h([1-6])[^>]*? id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs;

/** Renders the outline of a document from its HTML, which the codec's serializer wrote. */
export function outline(rendered: string, { messages }: Preferences): Html {
  const items = [...rendered.matchAll(heading)].slice(0, mostHeadings).map(([, level, id = "", text = ""]) => ({
    level: Number(level),
    id,
    text: text.replace(/<[^>]*>/g, ""),
  }));
  const top = Math.min(...items.map(({ level }) => level));
  const list = items.map(
    ({ level, id, text }) =>
      html`<li data-depth="${Math.min(3, level - top + 1)}"><a href="#${documentHtml(id)}">${documentHtml(text)}</a></li>`,
  );
  const content =
    items.length === 0
      ? ""
      : html`<nav class="outline" aria-label="${messages.onThisPage}"><h2>${messages.onThisPage}</h2><ol>${list}</ol></nav>`;
  return html`<aside class="aside">${content}</aside>`;
}
