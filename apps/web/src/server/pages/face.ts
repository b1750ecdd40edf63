import { initialsOf } from "../../client/parts/initials.ts";
import { pictureAddress } from "../../client/parts/picture-address.ts";
import { type Html, html } from "./html.ts";

/** The picture of a person, or their initials, as the app shows them. */
export function face({
  userId,
  name,
  picture,
}: {
  readonly userId: string;
  readonly name: string;
  readonly picture: string | null;
}): Html {
  const shown =
    picture === null ? initialsOf(name) : html`<img src="${pictureAddress(userId, picture)}" alt="" decoding="async">`;
  return html`<span class="face" aria-hidden="true">${shown}</span>`;
}
