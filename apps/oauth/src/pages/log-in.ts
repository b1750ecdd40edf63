import type { Language } from "@kb/core";
import { html } from "hono/html";
import { wordsOf } from "../account/words/words-of.ts";
import { authorizePath, passkeyPath } from "../paths.ts";
import { mark } from "./mark.ts";
import type { Html } from "./page.ts";
import { providerButton } from "./provider-button.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Contents of the log-in page. */
export type LogInPage = {
  readonly language: Language;
  readonly csrf: string;
  readonly returnTo: string;
  /** The e-mail address of the failed attempt, so that the user retypes only the password. */
  readonly email?: string;
  readonly problem?: string;
  /** Whether the problem is in the fields. */
  readonly fieldsInvalid?: boolean;
  /** Whether people log in with passwords, too. */
  readonly passwords: boolean;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn?: string | undefined;
  /** Whether the user asked for the page although they may be logged in: the provider then asks them too. */
  readonly switchUser?: boolean;
  /** Whether browsers offer passkeys at this address. */
  readonly offersPasskeys: boolean;
};

/** Returns the log-in form. The focus is on the e-mail address, or on the password if the address is filled in. */
export function logInBody(shown: LogInPage): Html {
  const { language, csrf, returnTo, email = "", problem, fieldsInvalid = false, singleSignOn } = shown;
  const { switchUser = false, offersPasskeys, passwords } = shown;
  const words = pageWordsOf(language).logIn;
  const labels = wordsOf(language);
  const note = problem === undefined ? "" : html`<p class="problem" id="problem" role="alert">${problem}</p>`;
  const lead = html`${mark()}
<h1>${words.title}</h1>
<p class="quiet">${returnTo.startsWith(`${authorizePath}?`) ? words.leadForApp : words.lead}</p>
${note}`;
  if (!passwords) {
    const target = { returnTo, switchUser };
    return html`${lead}
${singleSignOn === undefined ? "" : providerButton({ ...target, text: words.withProvider(singleSignOn) })}`;
  }
  const invalid = fieldsInvalid ? html` aria-invalid="true" aria-describedby="problem"` : "";
  const focus = (here: boolean) => (here ? html` autofocus` : "");
  return html`${lead}
<form method="post" action="/login">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">${labels.email}</label>
<input id="email" name="email" type="email" dir="ltr" autocomplete="username" required maxlength="254" value="${email}"${invalid}${focus(email === "")}>
<label for="password">${labels.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"${invalid}${focus(email !== "")}>
<button>${words.title}</button>
</form>
<p class="small"><a href="/forgot">${words.forgotten}</a></p>
${offersPasskeys ? passkeyPart(shown) : ""}
${singleSignOn === undefined ? "" : singleSignOnPart(singleSignOn, { returnTo, switchUser, language })}`;
}

/** Leads to the page that asks for a passkey. It is a form, so that only this site asks. */
function passkeyPart({ language, csrf, returnTo }: LogInPage): Html {
  const { or, offer } = wordsOf(language).passkey;
  return html`<p class="or">${or}</p>
<form method="post" action="${passkeyPath}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="return_to" value="${returnTo}">
<button class="second">${offer}</button>
</form>`;
}

function singleSignOnPart(
  name: string,
  { returnTo, switchUser, language }: Pick<Required<LogInPage>, "returnTo" | "switchUser" | "language">,
): Html {
  const { or, withProvider } = pageWordsOf(language).logIn;
  return html`<p class="or">${or}</p>
${providerButton({ returnTo, switchUser, text: withProvider(name), isSecond: true })}`;
}
