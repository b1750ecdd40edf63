import type { OauthClient } from "@kb/auth";
import type { Language } from "@kb/core";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { wordsOf } from "../account/words/words-of.ts";
import type { ScopeOffer } from "../authorize/scope-offer.ts";
import type { Destination } from "../clients/redirect-uri.ts";
import { authorizePath } from "../paths.ts";
import { scopeText } from "../scopes.ts";
import { mark } from "./mark.ts";
import { answerPage, type Html } from "./page.ts";
import { type AskedProof, proofField } from "./proof-field.ts";
import type { PageWords } from "./words/page-words.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

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
  /** The proof that asks the user to confirm that it is them; null if they did so a short time ago. */
  readonly proof: AskedProof | null;
  /** Default: 200. */
  readonly status?: ContentfulStatusCode | undefined;
};

/** Asks the user whether to allow an app. The name that the app chose is shown beside verified facts about it. */
export function answerConsent(context: EdgeContext, shown: ConsentPage): Promise<Response> {
  const language = preferredLanguage(context);
  const words = pageWordsOf(language);
  const { proof, status = 200 } = shown;
  const question = words.consent.title(shown.client.name);
  const title = proof?.problem === undefined ? question : wordsOf(language).error(question);
  const body = consentBody(shown, words, language);
  return answerPage(context, { title, body, language, status, formLeadsAway: true });
}

function consentBody(shown: ConsentPage, words: PageWords, language: Language): Html {
  const { question, lead, legend, allow, deny, limits } = words.consent;
  const { client, teamName, csrf, ticket, proof } = shown;
  return html`${mark(client)}
<h1>${question(client.name)}</h1>
<p class="quiet">${lead(teamName)}</p>
${factList(shown, words)}
${warning(shown, words.consent)}
<form method="post" action="${authorizePath}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="request" value="${ticket}">
<fieldset>
<legend>${legend}</legend>
${choiceList(shown, words.consent)}
</fieldset>
${proof === null ? "" : proofField(proof, language)}
<div class="buttons">
<button name="decision" value="allow">${allow}</button>
<button class="second" name="decision" value="deny" formnovalidate>${deny}</button>
</div>
</form>
<p class="quiet small">${limits}</p>`;
}

function factList(
  { client, destination, userName, email, switchUserPath }: ConsentPage,
  { consent, useAnotherAccount }: PageWords,
): Html {
  const { you, from, next, nextSteps } = consent;
  return html`<dl>
<div><dt>${you}</dt><dd><bdi>${userName}</bdi><br><span class="quiet">${email}</span><br><a href="${switchUserPath}">${useAnotherAccount}</a></dd></div>
${client.kind === "document" ? html`<div><dt>${from}</dt><dd><code>${new URL(client.id).host}</code></dd></div>` : ""}
<div><dt>${next}</dt><dd>${nextSteps[destination.kind](destination.shown)}</dd></div>
</dl>`;
}

/** Warns that the name is not verified, and that any program on the user's machine may receive a loopback answer. */
function warning({ client, destination }: ConsentPage, words: PageWords["consent"]): Html | "" {
  const origin = client.name === null ? words.nameless : words.unverified;
  const unverified = client.kind === "dynamic" ? html`${origin} ` : "";
  if (destination.kind === "loopback") {
    return html`<p class="note alert"><strong>${words.check}</strong> ${unverified}${words.listener(destination.shown)}</p>`;
  }
  if (client.kind === "document") return "";
  return html`<p class="note">${unverified}${words.trusted}</p>`;
}

type Choice = PageWords["consent"]["read"];

function choiceList({ offer, mayWrite }: ConsentPage, words: PageWords["consent"]): Html[] {
  const labels: Readonly<Record<string, Choice>> = { read: words.read, "read write": words.readWrite };
  return offer.choices.map((scopes) => {
    const scope = scopeText(scopes);
    const id = scopes.join("-");
    const { name, meaning } = labels[scope] ?? { name: scope, meaning: "" };
    const note = scopes.includes("write") && !mayWrite ? ` ${words.readsOnly}` : "";
    return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="scope" value="${scope}" required aria-labelledby="${id}-name" aria-describedby="${id}-meaning"${scope === offer.preselected ? html` checked` : ""}>
<span><span class="name" id="${id}-name">${name}</span><span class="quiet" id="${id}-meaning">${meaning}${note}</span></span></label>
`;
  });
}
