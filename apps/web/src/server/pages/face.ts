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
  if (picture === null) return html`<span class="face" data-initials="${initialsOf(name)}" aria-hidden="true"></span>`;
  return html`<span class="face" aria-hidden="true"><img src="${pictureAddress(userId, picture)}" alt="" decoding="async"></span>`;
}
