import type { EdgeContext } from "@kb/http";
import type { AssetManifest } from "../../build/asset-manifest.ts";
import { setPageHeaders } from "../policy.ts";
import { preferencesOf } from "../preferences.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";

/** Answers with the page that ends a log-in in a second tab. It says nothing about the user, so it needs no session. */
export async function loggedInPage(context: EdgeContext, manifest: AssetManifest | undefined): Promise<Response> {
  const preferences = preferencesOf(context);
  const { messages } = preferences;
  context.set("route", "/logged-in");
  setPageHeaders(context);
  const body = html`<main id="main" class="main"><div class="column">
<h1>${messages.loggedInTitle}</h1>
<p>${messages.loggedIn}</p>
</div></main>`;
  return context.html(await layout({ title: messages.loggedInTitle, preferences, manifest, body }));
}
