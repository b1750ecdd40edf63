import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import type { Client } from "../clients/client.ts";
import { answerPage } from "./page.ts";

/** Says that the team lets no apps in, who can change that, and how to go back. */
export function answerAssistantsOff(
  context: EdgeContext,
  shown: {
    readonly client: Client;
    readonly teamName: string;
    readonly userName: string;
    readonly otherLogIn: string;
    /** Where the app hears that nothing was allowed. */
    readonly wayBack: string;
  },
): Promise<Response> {
  const { client, teamName, userName, otherLogIn, wayBack } = shown;
  const name = client.name ?? "the app";
  const body = html`<h1>Apps cannot connect here yet</h1>
<p>Connecting assistants (MCP) is switched off in the team <strong><bdi>${teamName}</bdi></strong>, so <bdi>${name}</bdi> was not let in.</p>
<p>An admin of the team can switch it on. Then start once more from the app.</p>
<div class="stack">
<a class="button" href="${wayBack}" rel="noreferrer">Back to <bdi>${name}</bdi></a>
<a class="button second" href="${otherLogIn}">Log in as somebody else</a>
</div>
<p class="quiet small">You are logged in as <bdi>${userName}</bdi>.</p>`;
  return answerPage(context, { title: "Apps cannot connect here yet", body, status: 403 });
}
