import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import type { Offer } from "../authorize/offer.ts";
import type { Client } from "../clients/client.ts";
import type { Destination } from "../clients/redirect-uri.ts";
import { authorizePath } from "../paths.ts";
import { scopeText } from "../scopes.ts";
import { mark } from "./mark.ts";
import { answerPage, type Html } from "./page.ts";

/** What the page shows on which a user decides about an app. */
export type ConsentPage = {
  readonly client: Client;
  readonly destination: Destination;
  readonly teamName: string;
  readonly userName: string;
  readonly email: string;
  /** Whether the user may change anything themselves. */
  readonly mayWrite: boolean;
  readonly offer: Offer;
  /** Where somebody else logs in. */
  readonly otherLogIn: string;
  readonly csrf: string;
  readonly ticket: string;
};

/** Asks whether an app may come in. What the app says of itself stands beside what is known of it. */
export function answerConsent(context: EdgeContext, shown: ConsentPage): Promise<Response> {
  const name = shown.client.name ?? "An app";
  return answerPage(context, { title: `${name} wants to connect`, body: consentBody(shown), formLeadsAway: true });
}

function consentBody(shown: ConsentPage): Html {
  const { client, teamName, csrf, ticket } = shown;
  return html`${mark(client)}
<h1>Connect <bdi>${client.name ?? "this app"}</bdi>?</h1>
<p class="quiet">It asks to use the knowledge base of <strong><bdi>${teamName}</bdi></strong> in your name.</p>
${facts(shown)}
${caution(shown)}
<form method="post" action="${authorizePath}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="request" value="${ticket}">
<fieldset>
<legend>What may it do?</legend>
${choices(shown)}
</fieldset>
<div class="buttons">
<button name="decision" value="allow">Allow</button>
<button class="second" name="decision" value="deny">Deny</button>
</div>
</form>
<p class="quiet small">It never sees your password, and can do no more than you can. You can disconnect it at any time.</p>`;
}

function facts({ client, destination, userName, email, otherLogIn }: ConsentPage): Html {
  return html`<dl>
<div><dt>You</dt><dd><bdi>${userName}</bdi><br><span class="quiet">${email}</span><br><a href="${otherLogIn}">Log in as somebody else</a></dd></div>
${client.kind === "document" ? html`<div><dt>From</dt><dd><code>${new URL(client.id).host}</code></dd></div>` : ""}
<div><dt>Afterwards</dt><dd>${afterwards(destination)}</dd></div>
</dl>`;
}

function afterwards({ kind, shown }: Destination): Html {
  if (kind === "web") return html`you go on to <code>${shown}</code>`;
  if (kind === "loopback") return html`you go on to a program on this computer, at <code>${shown}</code>`;
  return html`an app on this device opens, the one for <code>${shown}:</code>`;
}

/** Nobody has checked a name that an app gave itself; on somebody's own machine any program may be waiting. */
function caution({ client, destination }: ConsentPage): Html | "" {
  const named =
    client.name === null
      ? "The app does not say what it is called."
      : "The app chose this name itself, and nobody has checked it.";
  const unchecked = client.kind === "dynamic" ? html`${named} ` : "";
  if (destination.kind === "loopback") {
    return html`<p class="note alert"><strong>Look twice.</strong> ${unchecked}Any program on this computer could be waiting at ${destination.shown}: go on only if you have just started this yourself.</p>`;
  }
  if (client.kind === "document") return "";
  return html`<p class="note">${unchecked}Go on only if you have just started this in an app that you trust.</p>`;
}

const meanings: Readonly<Record<string, { readonly name: string; readonly meaning: string }>> = {
  read: { name: "Read", meaning: "Find and read what you can read." },
  "read write": {
    name: "Read and write",
    meaning: "Also create, change, publish and delete documents in your name. What it deletes goes to the trash.",
  },
};

function choices({ offer, mayWrite }: ConsentPage): Html[] {
  return offer.scopes.map((scopes) => {
    const scope = scopeText(scopes);
    const id = scopes.join("-");
    const { name, meaning } = meanings[scope] ?? { name: scope, meaning: "" };
    const beyond =
      scopes.includes("write") && !mayWrite ? " You may only read here yourself, so it could do no more." : "";
    return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="scope" value="${scope}" required aria-labelledby="${id}-name" aria-describedby="${id}-meaning"${scope === offer.preselected ? html` checked` : ""}>
<span><span class="name" id="${id}-name">${name}</span><span class="quiet" id="${id}-meaning">${meaning}${beyond}</span></span></label>
`;
  });
}
