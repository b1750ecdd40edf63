import type { IconName } from "../../client/icons/names.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";

/** A button that the app puts beside the heading: its icon, its text, or both. */
type Button = { readonly icon?: IconName; readonly text?: string };

/** Renders the place of the app's buttons beside a heading, so that nothing moves when they come. It is hidden and empty of sense. */
export function actionsSpace({ manifest }: Frame, buttons: readonly Button[]): Html | string {
  if (buttons.length === 0) return "";
  const list = buttons.map(
    ({ icon: name, text }) =>
      html`<span class="button${name === "star" ? " star" : ""}">${name === undefined ? "" : icon(manifest, name)}${text === undefined ? "" : html` ${text}`}</span>`,
  );
  return html`<div class="actions actions-space" aria-hidden="true">${list}</div>`;
}
