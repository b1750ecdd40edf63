import type { OauthClient } from "@kb/auth";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import { authorizePath } from "../paths.ts";
import { mark } from "./mark.ts";
import { answerPage } from "./page.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Contents of the page that says that the team has to approve an app first. */
export type ApprovalNeededPage = {
  readonly client: OauthClient;
  readonly teamName: string;
  readonly userName: string;
  /** Where another user logs in. */
  readonly switchUserPath: string;
  /** The address that tells the app that nothing was allowed. */
  readonly denialUrl: string;
  readonly csrf: string;
  readonly ticket: string;
  /** Where the page is asked for again, if somebody of the team has asked for the app; null if nobody has. */
  readonly againPath: string | null;
};

/** Answers that an administrator has to approve the app, with a button to ask for it and the way back. */
export function answerApprovalNeeded(context: EdgeContext, shown: ApprovalNeededPage): Promise<Response> {
  const { client, teamName, userName, switchUserPath, denialUrl, csrf, ticket, againPath } = shown;
  const language = preferredLanguage(context);
  const words = pageWordsOf(language);
  const { title, reason, asked, approved, connect, refused, ask, again } = words.approval;
  const { back, account } = words.mcpDisabled;
  const form = html`<form method="post" action="${authorizePath}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="request" value="${ticket}">
<button name="decision" value="ask">${ask}</button>
</form>`;
  // The attributes are what the script says.
  const waiting = html`<p class="note" role="status" data-approved="${approved}" data-connect="${connect}" data-refused="${refused}" data-again="${again}">${asked}</p>
<div class="stack"><a class="button" id="again" href="${againPath}">${again}</a></div>`;
  const body = html`${mark(client)}
<h1>${title}</h1>
<p>${reason(teamName, client.name)}</p>
${againPath === null ? form : waiting}
<div class="stack">
<a class="button second" href="${denialUrl}" rel="noreferrer">${back(client.name)}</a>
<a class="button second" href="${switchUserPath}">${words.useAnotherAccount}</a>
</div>
<p class="quiet small">${account(userName)}</p>`;
  const page = { title, body, language, status: 403 } as const;
  return answerPage(context, againPath === null ? page : { ...page, script: "approval" });
}
