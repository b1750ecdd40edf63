import { html } from "hono/html";
import { logInPath } from "../return-to.ts";
import type { Html } from "./page.ts";

type Button = {
  readonly text: string;
  readonly returnTo?: string;
  /** Whether the provider asks the user to log in, although they may be logged in there. */
  readonly switchUser?: boolean;
  /** Whether the page has another button that is the main one. */
  readonly isSecond?: boolean;
};

/** Returns the button that leads to the single sign-on. */
export function providerButton({ text, returnTo = "/", switchUser = false, isSecond = false }: Button): Html {
  const href = logInPath(returnTo, { path: "/login/sso", switchUser });
  return html`<a class="button${isSecond ? " second" : ""}" href="${href}">${text}</a>`;
}
