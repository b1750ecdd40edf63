import { html } from "hono/html";
import { version } from "../version.ts";
import { type Html, page } from "./page.ts";

/** Renders the page at the root, as long as no web app is served there. */
export function landingPage(appUrl: string): Html {
  return page(
    "Team knowledge base",
    html`<main class="card">
<h1>Team knowledge base</h1>
<p>The service is running. It stores your team’s documents in collections and serves them over REST.</p>
<ul class="links">
<li><a href="/docs">Documentation</a></li>
<li><a href="/openapi.json">OpenAPI 3.1 description</a></li>
<li><a href="/api/health">Health</a></li>
</ul>
<p>To list your documents from a terminal, with an API key:</p>
<pre><code>curl ${appUrl}/api/v1/documents \\
  -H "Authorization: Bearer $KEY"</code></pre>
<p class="quiet">Version ${version}</p>
</main>`,
  );
}
