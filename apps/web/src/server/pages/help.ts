import type { EdgeContext } from "@kb/http";
import { type Shortcut, shortcutAreas, shortcutsOf, shownKeys } from "../../client/app/shortcuts.ts";
import type { Messages } from "../../messages/index.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import type { Shown } from "./shown.ts";

/** Renders the help: how to find things, the keys of the app, and where its documentation is. */
export async function helpPage(_: EdgeContext, { preferences: { messages } }: Frame): Promise<Shown> {
  const areas = {
    anywhere: messages.keysAnywhere,
    reading: messages.keysReading,
    writing: messages.keysWriting,
    text: messages.keysText,
  };
  const content = html`<section class="part"><h2>${messages.helpFinding}</h2>
<p>${messages.helpQuickOpen}</p><p>${messages.searchPrompt}</p></section>
<section class="part"><h2>${messages.shortcuts}</h2>
<p class="quiet">${messages.singleKeysHelp}</p>
${shortcutAreas.map(
  (area) =>
    html`<h3>${areas[area]}</h3><dl class="shortcuts">${shortcutsOf(area).map((one) => keysRow(one, messages))}</dl>`,
)}</section>
<section class="part"><h2>${messages.helpPrograms}</h2><p>${messages.helpApi} <a href="/docs">${messages.documentation}</a></p></section>`;
  return { title: messages.help, main: mainPart({ title: messages.help, content }) };
}

function keysRow(shortcut: Shortcut, messages: Messages): Html {
  const ways = shownKeys(shortcut, "other").map((strokes, way) => [
    way === 0 ? "" : ` ${messages.keysOr} `,
    ...strokes.map((stroke, place) => [place === 0 ? "" : ` ${messages.keysThen} `, html`<kbd>${stroke}</kbd>`]),
  ]);
  return html`<div><dt>${messages[shortcut.label]}</dt><dd>${ways}</dd></div>`;
}
