import { html } from "hono/html";
import type { Html } from "./page.ts";

/** Asks whether to log out. */
export function logOutBody(shown: { csrf: string; userName: string; email: string }): Html {
  return html`<h1>Log out?</h1>
<p class="quiet">You are logged in as ${shown.userName} (${shown.email}).</p>
<form method="post" action="/logout">
<input type="hidden" name="csrf" value="${shown.csrf}">
<button>Log out</button>
</form>`;
}

/** Says that nobody is logged in here. */
export function loggedOutBody(): Html {
  return html`<h1>You are logged out</h1>
<p class="quiet">Nobody is logged in with this browser.</p>
<a class="button" href="/login">Log in</a>`;
}
