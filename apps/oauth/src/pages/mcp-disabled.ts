import type { OauthClient } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import { answerPage } from "./page.ts";

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
  const name = client.name ?? "the app";
  const body = html`<h1>Apps cannot connect yet</h1>
<p>Your team <strong><bdi>${teamName}</bdi></strong> has turned off connections to assistants (MCP), so <bdi>${name}</bdi> could not connect.</p>
<p>Ask an admin of the team to turn them on. Then start again from the app.</p>
<div class="stack">
<a class="button" href="${denialUrl}" rel="noreferrer">Back to <bdi>${name}</bdi></a>
<a class="button second" href="${switchUserPath}">Use another account</a>
</div>
<p class="quiet small">You are logged in as <bdi>${userName}</bdi>.</p>`;
  return answerPage(context, { title: "Apps cannot connect yet", body, status: 403 });
}
