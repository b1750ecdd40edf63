import type { Preferences } from "../preferences.ts";
import { documentHtml, type Html, html } from "./html.ts";

/** The most headings that an outline lists. */
const mostHeadings = 200;
const heading = /<h([1-6])[^>]*? id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs;

/** The outline of a document: beside its text, and folded above it where the page has no room beside it. */
type Outlines = { readonly beside: Html; readonly folded: Html | string };

/** Renders the outline of a document from its HTML, which the codec's serializer wrote. */
export function outlines(rendered: string, { messages }: Preferences): Outlines {
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
  if (items.length === 0) return { beside: html`<aside class="aside"></aside>`, folded: "" };
  const nav = (heading: Html | string): Html =>
    html`<nav class="outline" aria-label="${messages.onThisPage}">${heading}<ol>${list}</ol></nav>`;
  return {
    beside: html`<aside class="aside">${nav(html`<h2>${messages.onThisPage}</h2>`)}</aside>`,
    folded: html`<details class="outline-fold"><summary>${messages.onThisPage}</summary>${nav("")}</details>`,
  };
}
