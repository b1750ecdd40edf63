import type { OauthClient } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import type { ScopeOffer } from "../authorize/scope-offer.ts";
import type { Destination } from "../clients/redirect-uri.ts";
import { authorizePath } from "../paths.ts";
import { scopeText } from "../scopes.ts";
import { mark } from "./mark.ts";
import { answerPage, type Html } from "./page.ts";

/** Contents of the consent page. */
export type ConsentPage = {
  readonly client: OauthClient;
  readonly destination: Destination;
  readonly teamName: string;
  readonly userName: string;
  readonly email: string;
  /** Whether the user may change any document. */
  readonly mayWrite: boolean;
  readonly offer: ScopeOffer;
  /** Where another user logs in. */
  readonly switchUserPath: string;
  readonly csrf: string;
  readonly ticket: string;
};

/** Asks the user whether to allow an app. The name that the app chose is shown beside verified facts about it. */
export function answerConsent(context: EdgeContext, shown: ConsentPage): Promise<Response> {
  const name = shown.client.name ?? "An app";
  return answerPage(context, { title: `${name} wants to connect`, body: consentBody(shown), formLeadsAway: true });
}

function consentBody(shown: ConsentPage): Html {
  const { client, teamName, csrf, ticket } = shown;
  return html`${mark(client)}
<h1>Connect <bdi>${client.name ?? "this app"}</bdi>?</h1>
<p class="quiet">It wants to use the knowledge base of <strong><bdi>${teamName}</bdi></strong> on your behalf.</p>
${factList(shown)}
${warning(shown)}
<form method="post" action="${authorizePath}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="request" value="${ticket}">
<fieldset>
<legend>What may it do?</legend>
${choiceList(shown)}
</fieldset>
<div class="buttons">
<button name="decision" value="allow">Allow</button>
<button class="second" name="decision" value="deny">Deny</button>
</div>
</form>
<p class="quiet small">It never sees your password, and it can do nothing that you cannot do yourself. You can disconnect it at any time.</p>`;
}

function factList({ client, destination, userName, email, switchUserPath }: ConsentPage): Html {
  return html`<dl>
<div><dt>You</dt><dd><bdi>${userName}</bdi><br><span class="quiet">${email}</span><br><a href="${switchUserPath}">Use another account</a></dd></div>
${client.kind === "document" ? html`<div><dt>From</dt><dd><code>${new URL(client.id).host}</code></dd></div>` : ""}
<div><dt>Next</dt><dd>${nextStep(destination)}</dd></div>
</dl>`;
}

function nextStep({ kind, shown }: Destination): Html {
  if (kind === "web") return html`You go to <code>${shown}</code>`;
  if (kind === "loopback") return html`You go to a program on this computer, at <code>${shown}</code>`;
  return html`An app on this device opens: the one for <code>${shown}:</code>`;
}

/** Warns that the name is not verified, and that any program on the user's machine may receive a loopback answer. */
function warning({ client, destination }: ConsentPage): Html | "" {
  const origin =
    client.name === null
      ? "The app does not state its name."
      : "The app chose this name itself, and nobody has verified it.";
  const unverified = client.kind === "dynamic" ? html`${origin} ` : "";
  if (destination.kind === "loopback") {
    return html`<p class="note alert"><strong>Check first.</strong> ${unverified}Any program on this computer could be listening at ${destination.shown}. Continue only if you have just started this yourself.</p>`;
  }
  if (client.kind === "document") return "";
  return html`<p class="note">${unverified}Continue only if you have just started this in an app that you trust.</p>`;
}

const labels: Readonly<Record<string, { readonly name: string; readonly meaning: string }>> = {
  read: { name: "Read", meaning: "Find and read what you can read." },
  "read write": {
    name: "Read and write",
    meaning: "Also create, change, publish and delete documents on your behalf. Deleted documents go to the trash.",
  },
};

function choiceList({ offer, mayWrite }: ConsentPage): Html[] {
  return offer.choices.map((scopes) => {
    const scope = scopeText(scopes);
    const id = scopes.join("-");
    const { name, meaning } = labels[scope] ?? { name: scope, meaning: "" };
    const note =
      scopes.includes("write") && !mayWrite ? " You have only read access yourself, so it could do no more." : "";
    return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="scope" value="${scope}" required aria-labelledby="${id}-name" aria-describedby="${id}-meaning"${scope === offer.preselected ? html` checked` : ""}>
<span><span class="name" id="${id}-name">${name}</span><span class="quiet" id="${id}-meaning">${meaning}${note}</span></span></label>
`;
  });
}
