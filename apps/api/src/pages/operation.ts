import { callerKinds } from "@kb/core";
import { codesOf, commonCodes, type Row, statusOf } from "@kb/http";
import { html } from "hono/html";
import answers from "./answers.json" with { type: "json" };
import { commandOf } from "./example.ts";
import { type Html, prose } from "./page.ts";
import { type FieldLine, fieldTable, typeOf } from "./schemas.ts";

const recordedAnswers = new Map<string, unknown>(Object.entries(answers).map(([name, { body }]) => [name, body]));

/** Renders a row of the table: its description, fields, answer, errors and an example command. */
export function operationSection(row: Row, appUrl: string): Html {
  const fields = fieldsOf(row);
  return html`<section class="operation" id="${row.name}">
<h3><a href="#${row.name}">${row.summary}</a> <span class="tag">${credentialOf(row)}</span></h3>
<p class="line"><span class="method ${row.method}">${row.method.toUpperCase()}</span> ${row.path}</p>
${row.description === undefined ? "" : prose(row.description)}
${fields.length === 0 ? "" : html`<h4>Request</h4>${fieldTable(fields)}`}
<h4>Answer</h4>
<p>${row.statuses.map((status, index) => html`${index === 0 ? "" : " or "}<code>${status}</code>`)} ${answerOf(row)}${
    row.hasEtag ? html`, with <code>ETag</code>` : ""
  }</p>
${exampleAnswer(row)}<h4>Errors</h4>
<p>${errorsOf(row)}<a href="#errors">the common errors</a></p>
<h4>Try it</h4>
<pre><code>${commandOf(row, appUrl)}</code></pre>
</section>
`;
}

/** Shows an answer that the service gave to the example in a test; lists have only their first row. */
function exampleAnswer(row: Row): Html | string {
  const body = recordedAnswers.get(row.name);
  if (body === undefined) return "";
  return html`<details><summary>Example answer</summary>
<pre><code>${JSON.stringify(body, null, 2)}</code></pre></details>
`;
}

function fieldsOf(row: Row): FieldLine[] {
  const others = row.method === "get" ? "query" : "body";
  const lines = row.fields.map((field): FieldLine => {
    const inPath = row.pathParameters.includes(field.name);
    return {
      name: field.name,
      schema: referenceOnly(field.schema),
      required: inPath || field.required,
      place: inPath ? "path" : others,
    };
  });
  const header = (name: string, description: string): FieldLine => ({
    name,
    schema: { type: "string", description },
    required: false,
    place: "header",
  });
  return [
    ...lines.filter((line) => line.place === "path"),
    ...lines.filter((line) => line.place !== "path"),
    ...(row.takesIfMatch && row.method !== "get"
      ? [header("If-Match", "the revision that you expect, in quotes")]
      : []),
    ...(row.hasEtag && row.method === "get" ? [header("If-None-Match", "the `ETag` that you have stored")] : []),
    ...(row.takesIdempotencyKey ? [header("Idempotency-Key", "makes retries safe")] : []),
  ];
}

/** Removes the other keys of a reference, because it links to a section of its own. */
function referenceOnly(schema: FieldLine["schema"]): FieldLine["schema"] {
  const { $ref, ...rest } = schema;
  return $ref === undefined ? rest : { $ref };
}

function answerOf(row: Row): Html {
  const { data } = row.bodySchema.properties ?? {};
  if (Object.keys(row.bodySchema.properties ?? {}).length === 1 && typeof data === "object") {
    return html`<code>{data}</code>: ${typeOf(data)}`;
  }
  return typeOf(row.bodySchema);
}

function errorsOf(row: Row): Html {
  const own = codesOf(row).filter((code) => !commonCodes.includes(code));
  const codes = [...new Set(own)].sort((a, b) => statusOf[a] - statusOf[b]);
  return html`${codes.map((code) => html`<code>${code}</code>, `)}`;
}

function credentialOf(row: Row): string {
  const { name, scoped } = callerKinds[row.caller].credential;
  if (!scoped) return name;
  return row.sessionOnly ? "session" : `scope ${row.scope}`;
}
