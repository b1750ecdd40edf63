import { type EdgeContext, recordError } from "@kb/http";
import type { AssetManifest } from "../../build/asset-manifest.ts";
import { setPageHeaders } from "../policy.ts";
import { preferencesOf } from "../preferences.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";

/** Tells whether a browser asks for a page: programs get the error as JSON. */
const wantsPage = (context: EdgeContext): boolean => (context.req.header("Accept") ?? "").includes("text/html");

/** Answers with a page that says what did not work; for our own failures it shows the id under which it is logged. */
export async function answerProblem(
  context: EdgeContext,
  manifest: AssetManifest | undefined,
  thrown: unknown,
): Promise<Response> {
  const { status, body } = recordError(context, thrown);
  if (!wantsPage(context)) return context.json(body, status);
  const preferences = preferencesOf(context);
  const { messages } = preferences;
  setPageHeaders(context);
  context.header("Cache-Control", "no-store");
  const isAbsent = status === 404 || status === 403;
  const title = isAbsent ? messages.notFoundTitle : messages.failed;
  const reference = status >= 500 ? html`<p class="quiet">${messages.failedReference(context.var.requestId)}</p>` : "";
  const shown = html`<main id="main" class="main"><div class="column">
<h1>${title}</h1>
<p>${isAbsent ? messages.notFound : messages.refusal(body.error, body.code)}</p>
${status === 403 ? html`<p>${messages.askOwner}</p>` : ""}
${isAbsent ? html`<p class="quiet">${messages.notFoundHelp}</p>` : reference}
<p class="buttons"><a class="button" href="/">${messages.goHome}</a> <a class="button" href="/search">${messages.search}</a></p>
</div></main>`;
  return context.html(await layout({ title, preferences, manifest, body: shown }), status);
}
