import type { Language } from "@kb/core";
import { html } from "hono/html";
import type { Html } from "./page.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Contents of the page that asks for the log-out. */
type LogOutPage = {
  readonly language: Language;
  readonly csrf: string;
  readonly userName: string;
  readonly email: string;
};

/** Asks the user to confirm the log-out. */
export function logOutBody({ language, csrf, userName, email }: LogOutPage): Html {
  const { title, question, account } = pageWordsOf(language).logOut;
  return html`<h1>${question}</h1>
<p class="quiet">${account(userName, email)}</p>
<form method="post" action="/logout">
<input type="hidden" name="csrf" value="${csrf}">
<button>${title}</button>
</form>`;
}

/** Says that the browser has no session. */
export function loggedOutBody(language: Language): Html {
  const { logIn, logOut } = pageWordsOf(language);
  return html`<h1>${logOut.doneTitle}</h1>
<p class="quiet">${logOut.done}</p>
<a class="button" href="/login">${logIn.title}</a>`;
}
