import { html } from "hono/html";
import type { Html } from "./page.ts";

/** An open book, the icon of the knowledge base. */
const book: Html = html`<span class="tile own"><svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"><path d="M12 6.5C10 5 7 4.6 3.5 5v13c3.5-.4 6.5 0 8.5 1.5 2-1.5 5-1.9 8.5-1.5V5C17 4.6 14 5 12 6.5zM12 6.5v13"/></svg></span>`;

/** Returns the picture above the heading: the knowledge base and the app that connects. It repeats what the text says. */
export function mark(app?: { readonly name: string | null }): Html {
  if (app === undefined) return html`<div class="mark" aria-hidden="true">${book}</div>`;
  const [letter = "?"] = (app.name ?? "?").toUpperCase();
  return html`<div class="mark" aria-hidden="true"><span class="tile">${letter}</span><span class="wire"></span>${book}</div>`;
}

type Logo = { readonly contentType: string; readonly bytes: Uint8Array };

/** Returns the picture above the heading of a page of a team: its logo, which comes with the page, or the knowledge base. */
export function teamMark(logo: Logo | undefined): Html {
  if (logo === undefined) return mark();
  const source = `data:${logo.contentType};base64,${Buffer.from(logo.bytes).toString("base64")}`;
  return html`<div class="mark" aria-hidden="true"><img class="tile" src="${source}" alt=""></div>`;
}
