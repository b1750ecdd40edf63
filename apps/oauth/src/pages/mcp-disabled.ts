import type { OauthClient } from "@kb/auth";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import { answerPage } from "./page.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Contents of the page that says that the team allows no apps. */
export type McpDisabledPage = {
  readonly client: OauthClient;
  readonly teamName: string;
  readonly userName: string;
  /** Where another user logs in. */
  readonly switchUserPath: string;
  /** The address that tells the app that nothing was allowed. */
  readonly denialUrl: string;
};

/** Answers that the team allows no apps, with the way to change that and the way back. */
export function answerMcpDisabled(context: EdgeContext, shown: McpDisabledPage): Promise<Response> {
  const { client, teamName, userName, switchUserPath, denialUrl } = shown;
  const language = preferredLanguage(context);
  const words = pageWordsOf(language);
  const { title, reason, wayOut, back, account } = words.mcpDisabled;
  const body = html`<h1>${title}</h1>
<p>${reason(teamName, client.name)}</p>
<p>${wayOut}</p>
<div class="stack">
<a class="button" href="${denialUrl}" rel="noreferrer">${back(client.name)}</a>
<a class="button second" href="${switchUserPath}">${words.useAnotherAccount}</a>
</div>
<p class="quiet small">${account(userName)}</p>`;
  return answerPage(context, { title, body, language, status: 403 });
}
