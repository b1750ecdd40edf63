import { html } from "hono/html";
import { version } from "../version.ts";
import { type Html, page } from "./page.ts";

/** What a browser sees at the bare address while no web app stands there. */
export function landingPage(appUrl: string): Html {
  return page(
    "Team knowledge base",
    html`<main class="card">
<h1>Team knowledge base</h1>
<p>The service runs. It keeps your team’s documents in collections and serves them over REST.</p>
<ul class="links">
<li><a href="/docs">Documentation</a></li>
<li><a href="/openapi.json">OpenAPI 3.1 description</a></li>
<li><a href="/api/health">Health</a></li>
</ul>
<p>With an API key, from a terminal:</p>
<pre><code>curl ${appUrl}/api/v1/documents \\
  -H "Authorization: Bearer $KEY"</code></pre>
<p class="quiet">Version ${version}</p>
</main>`,
  );
}
