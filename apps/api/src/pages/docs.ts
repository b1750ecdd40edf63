import type { ApiDocument, Row } from "@kb/http";
import { html } from "hono/html";
import { version } from "../version.ts";
import { guide, guideSections } from "./guide.ts";
import { operationSection } from "./operation.ts";
import { type Html, page } from "./page.ts";
import { schemaSection } from "./schemas.ts";

/**
 * Renders the documentation as one page: a guide, every row of the table, and every schema. Its script adds the search, the mark of
 * the current place and the buttons that copy; everything else works without it.
 */
export function docsPage(rows: readonly Row[], description: ApiDocument, appUrl: string): Html {
  const { schemas } = description.components;
  const sections = [...Map.groupBy(rows, (row) => row.section)];
  return page(
    "API documentation",
    html`<a class="skip" href="#content">Skip to content</a>
<div class="page">
<nav aria-label="Contents">
<p class="brand"><a href="/">Team knowledge base</a></p>
<div id="search" hidden><input type="search" placeholder="Search operations" aria-label="Search operations" autocomplete="off">
<p id="matches" class="quiet" role="status"></p></div>
<details><summary>Contents</summary>
${navigation("Guide", guideSections)}
${sections.map(([name, members]) =>
  navigation(
    name,
    members.map((row) => ({ id: row.name, title: row.summary })),
  ),
)}
${navigation(
  "Schemas",
  Object.keys(schemas).map((name) => ({ id: `schema-${name}`, title: name })),
)}
</details>
</nav>
<main id="content">
<h1>API documentation</h1>
<p class="quiet">Version ${version} · <a href="/openapi.json">OpenAPI 3.1 description</a> · MIT licence</p>
${guide(appUrl)}
${sections.map(
  ([name, members]) => html`<h2>${name}</h2>
${members.map((row) => operationSection(row, appUrl))}`,
)}
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas).map(([name, schema]) => schemaSection(name, schema))}
</main>
</div>`,
    "/docs/script.js",
  );
}

function navigation(name: string, entries: readonly { id: string; title: string }[]): Html {
  return html`<p class="group">${name}</p>
<ul>${entries.map((entry) => html`<li><a href="#${entry.id}" title="${entry.id}">${entry.title}</a></li>`)}</ul>
`;
}
