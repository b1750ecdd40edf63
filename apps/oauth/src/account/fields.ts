import { html } from "hono/html";
import type { Html } from "../pages/page.ts";
import type { AccountWords } from "./words/account-words.ts";

/** The sentence above a form that says what was wrong. */
export function problemNote(problem: string | undefined): Html | "" {
  return problem === undefined ? "" : html`<p class="problem" id="problem" role="alert">${problem}</p>`;
}

/** A field for a new password, with a hint; the address beside it lets password managers store both. */
export function newPasswordField(
  words: AccountWords,
  { isInvalid, hasFocus }: { readonly isInvalid: boolean; readonly hasFocus: boolean },
): Html {
  const invalid = isInvalid ? html` aria-invalid="true"` : "";
  const described = isInvalid ? "problem password-hint" : "password-hint";
  return html`<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="1024" aria-describedby="${described}"${invalid}${hasFocus ? html` autofocus` : ""}>
<p class="hint" id="password-hint">${words.passwordHint}</p>`;
}

/** The address of the account, which cannot be changed here. */
export function addressField(words: AccountWords, email: string): Html {
  return html`<label for="email">${words.email}</label>
<input id="email" name="email" type="email" dir="ltr" autocomplete="username" readonly value="${email}">`;
}
