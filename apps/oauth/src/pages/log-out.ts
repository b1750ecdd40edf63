import { html } from "hono/html";
import type { Html } from "./page.ts";

/** Asks the user to confirm the log-out. */
export function logOutBody(shown: { csrf: string; userName: string; email: string }): Html {
  return html`<h1>Log out?</h1>
<p class="quiet">You are logged in as ${shown.userName} (${shown.email}).</p>
<form method="post" action="/logout">
<input type="hidden" name="csrf" value="${shown.csrf}">
<button>Log out</button>
</form>`;
}

/** Says that the browser has no session. */
export function loggedOutBody(): Html {
  return html`<h1>You are logged out</h1>
<p class="quiet">You are not logged in to this site in this browser.</p>
<a class="button" href="/login">Log in</a>`;
}
