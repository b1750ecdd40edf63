import { html } from "hono/html";
import { authorizePath } from "../paths.ts";
import { logInPath } from "../return-to.ts";
import { mark } from "./mark.ts";
import type { Html } from "./page.ts";

/** Contents of the log-in page. */
export type LogInPage = {
  readonly csrf: string;
  readonly returnTo: string;
  /** The e-mail address of the failed attempt, so that the user retypes only the password. */
  readonly email?: string;
  readonly problem?: string;
  /** Whether the problem is in the fields. */
  readonly fieldsInvalid?: boolean;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn?: string | undefined;
};

/** Returns the log-in form. The focus is on the e-mail address, or on the password if the address is filled in. */
export function logInBody(shown: LogInPage): Html {
  const { csrf, returnTo, email = "", problem, fieldsInvalid = false, singleSignOn } = shown;
  const invalid = fieldsInvalid ? html` aria-invalid="true" aria-describedby="problem"` : "";
  const focus = (here: boolean) => (here ? html` autofocus` : "");
  return html`${mark()}
<h1>Log in</h1>
<p class="quiet">${returnTo.startsWith(`${authorizePath}?`) ? "An app wants to connect. Log in to continue." : "to your team’s knowledge base"}</p>
${problem === undefined ? "" : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<form method="post" action="/login">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${invalid}${focus(email === "")}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"${invalid}${focus(email !== "")}>
<button>Log in</button>
</form>
<p class="small"><a href="/forgot">Forgotten password?</a></p>
${singleSignOn === undefined ? "" : singleSignOnPart(singleSignOn, returnTo)}`;
}

function singleSignOnPart(name: string, returnTo: string): Html {
  return html`<p class="or">or</p>
<a class="button second" href="${logInPath(returnTo, { path: "/login/sso" })}">Log in with ${name}</a>`;
}
