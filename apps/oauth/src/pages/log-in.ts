import { html } from "hono/html";
import { authorizePath } from "../paths.ts";
import { logInPath } from "../return-to.ts";
import { mark } from "./mark.ts";
import type { Html } from "./page.ts";

/** What the log-in page shows. */
export type LogInPage = {
  readonly csrf: string;
  readonly returnTo: string;
  /** What was typed before, so that only the password is typed again. */
  readonly email?: string;
  readonly problem?: string;
  /** The fields are what is wrong; else something around them is. */
  readonly fieldsWrong?: boolean;
  /** The name of the single sign-on, where there is one. */
  readonly singleSignOn?: string | undefined;
};

/** The form to log in with; without an e-mail the reader begins there, else at the password. */
export function logInBody(shown: LogInPage): Html {
  const { csrf, returnTo, email = "", problem, fieldsWrong = false, singleSignOn } = shown;
  const invalid = fieldsWrong ? html` aria-invalid="true" aria-describedby="problem"` : "";
  const focus = (here: boolean) => (here ? html` autofocus` : "");
  return html`${mark()}
<h1>Log in</h1>
<p class="quiet">${returnTo.startsWith(`${authorizePath}?`) ? "An app wants to connect. First say who you are." : "to your team’s knowledge base"}</p>
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
${singleSignOn === undefined ? "" : singleSignOnPart(singleSignOn, returnTo)}`;
}

function singleSignOnPart(name: string, returnTo: string): Html {
  return html`<p class="or">or</p>
<a class="button second" href="${logInPath(returnTo, { path: "/login/sso" })}">Log in with ${name}</a>`;
}
