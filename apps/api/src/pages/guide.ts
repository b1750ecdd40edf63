import type { ErrorCode } from "@kb/core";
import { statusOf } from "@kb/http";
import { html } from "hono/html";
import { roleSunset } from "../routes.ts";
import { type Html, inline, prose } from "./page.ts";

/** The sections of the guide, in order. */
export const guideSections = [
  { id: "start", title: "Getting started" },
  { id: "conventions", title: "Conventions" },
  { id: "errors", title: "Errors" },
  { id: "concurrency", title: "Concurrent edits" },
  { id: "retries", title: "Safe retries" },
  { id: "sync", title: "Incremental sync" },
  { id: "channels", title: "Published channels" },
  { id: "audit", title: "Audit log" },
  { id: "limits", title: "Limits" },
  { id: "deprecations", title: "Deprecations" },
] as const;

/** What holds for every operation. */
export function guide(appUrl: string): Html {
  const [start, conventions, errors, concurrency, retries, sync, channels, audit, limits, deprecations] = guideSections;
  return html`${section(start, startText, curlStart(appUrl))}
${section(conventions, conventionsText)}
${section(errors, errorsText, errorTable())}
${section(concurrency, concurrencyText)}
${section(retries, retriesText)}
${section(sync, syncText)}
${section(channels, channelsText)}
${section(audit, auditText)}
${section(limits, limitsText)}
${section(deprecations, deprecationsText)}`;
}

function section({ id, title }: { id: string; title: string }, text: string, more: Html | string = ""): Html {
  return html`<h2 id="${id}">${title}</h2>
${prose(text)}${more}
`;
}

const startText = `Every request carries an API key: \`Authorization: Bearer kb_…\`. A key acts as its owner and never above
them. It has the scopes \`read\`, \`write\` and \`admin\`; each operation below names the one that it needs. A restricted key
is narrowed further, to single collections and documents.`;

function curlStart(appUrl: string): Html {
  return html`<pre><code>export KEY=kb_…

curl ${appUrl}/api/v1/me \\
  -H "Authorization: Bearer $KEY"</code></pre>`;
}

const conventionsText = `Bodies are JSON objects in UTF-8, sent as \`Content-Type: application/json\`. An unknown key or
query parameter is an error that names it. Ids are UUIDs; times are ISO 8601 in UTC with milliseconds.

A list parameter is repeated: \`tag=one&tag=two\`. A page holds 25 rows unless \`limit\` says otherwise, and 100 at most.

What you may not see answers exactly like what does not exist.

Every answer has an \`X-Request-Id\`; send your own (1 to 128 of \`A-Z a-z 0-9 . _ -\`) and it is used.`;

const errorsText = `An error is \`{error, code, details?}\`: a sentence for a person, a stable code for a program, and where
it helps a list of \`{path, message}\`.`;

const meanings: Readonly<Record<ErrorCode, string>> = {
  validation_error: "The request is not valid; `details` says where.",
  inline_image_rejected: "The Markdown holds a base64 image: upload it or link to it.",
  authentication_required: "There is no credential.",
  invalid_api_key: "The API key is unknown, expired or revoked.",
  invalid_token: "The access token, or the token of a channel, is unknown, expired or revoked.",
  insufficient_scope: "The credential lacks the scope.",
  forbidden: "The user may not do this.",
  mcp_disabled: "MCP is switched off for the team.",
  not_found: "There is no such thing, or you may not see it.",
  not_in_trash: "Only what is in the trash can be restored.",
  heading_not_found: "No heading reads like that; `details` lists those that there are.",
  text_not_found: "The text to replace is not there.",
  method_not_allowed: "The path exists with another method; see `Allow`.",
  revision_conflict: "Somebody else changed it: 409 for `expectedRevision`, 412 for `If-Match`.",
  conflict: "It conflicts with the current state.",
  idempotency_mismatch: "The `Idempotency-Key` was used for another request.",
  text_ambiguous: "The text to replace is there more than once.",
  sync_window_expired: "The sync has to start again.",
  payload_too_large: "The body is too large.",
  unsupported_media_type: "The body is not JSON.",
  rate_limited: "Too many requests; wait as `Retry-After` says.",
  internal_error: "A defect of ours; quote the `X-Request-Id`.",
  unavailable: "The service cannot work just now; wait as `Retry-After` says.",
};

function errorTable(): Html {
  const codes = Object.entries(meanings);
  const status = (code: string): number => new Map<string, number>(Object.entries(statusOf)).get(code) ?? 500;
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${codes.map(
    ([code, meaning]) =>
      html`<tr><td><code>${code}</code></td><td>${status(code)}</td><td>${inline(meaning)}</td></tr>`,
  )}</tbody></table></div>`;
}

const concurrencyText = `A document's \`revision\` rises with every change of what it shows, and is its \`ETag\`. Send the
revision that you read in \`If-Match\` (as \`"3"\`) or in the body as \`expectedRevision\`; when somebody else was faster the
answer is 412 or 409 and nothing changes. Its \`details\` hold the current revision and, where the old one is stored, the
difference as Markdown lines. Without a guard the last write wins, but append, prepend and insert never lose an edit.

\`If-None-Match\` on a \`GET\` answers 304 while nothing changed. A write that changes nothing makes no revision.`;

const retriesText = `Send an \`Idempotency-Key\` of 1 to 255 characters with a \`POST\`. The same request with the same key
within 24 hours is done once: a repeat gets the stored answer, with \`Idempotency-Replayed: true\`. A repeat while the first
still runs is 409 \`conflict\`; another request under the same key is 409 \`idempotency_mismatch\`.`;

const syncText = `\`GET /api/v1/documents?updatedSince=…\` lists what changed after a moment, oldest first, 500 rows a page and
1000 at most. Go on with \`cursor\`, or with the last row's \`updatedAt\` as the next \`updatedSince\`: rows of one millisecond
are never split by a page. \`includeDeleted=true\` adds tombstones for what left your sight; they are kept for 90 days.`;

const channelsText = `A publishing channel shows documents to readers outside of the team, by a token of its own:
\`Authorization: Bearer kbc_…\`. It opens that channel and nothing else, and no other credential opens the channel. Shown
are published documents, neither archived nor in the trash nor in an archived collection, that lie in any of the channel's
collections, where it names some, and carry any of its tags, where it names some. By tags alone it shows what everybody in
the team may read. They leave the channel the moment that this ends. A restricted tag matches nothing.

\`markdownText\` and \`html\` are there where the channel's format settings ask for them. The HTML is safe to put into a
page: it holds no markup of the author's own. Ask again with \`If-None-Match\`: 304 says that nothing changed.`;

const auditText = `The audit log holds every change, refusal, log-in and log-out: who, by what credential, what, on what,
when, from where, and what came of it; never what was written, and no secret. The entry of a change is part of the change. A
change that changes nothing makes none. What is not there and what is hidden are noted alike, as \`not_found\` with the id
that was asked for. Entries are kept for 365 days. A restricted key does not read the log.`;

const limitsText = `A user may send so many requests a minute as \`X-RateLimit-Limit\` says, with all credentials together; a
channel's token is counted by itself, and without a credential the client's address. \`X-RateLimit-Remaining\` says how many are left and
\`X-RateLimit-Reset\` at which Unix time the next one is free. Over the limit the answer is 429 with \`Retry-After\`.
\`GET /api/health\` needs no key and is not counted.

A JSON body may have 5 MB, a Markdown body 1,500,000 characters, a title and a collection's name 255 characters.`;

const deprecationsText = `\`role\` in \`GET /api/v1/me\` is deprecated since v0.1.0 and removed in v0.2.0; the endpoint stays. Its
answers carry \`Sunset: ${roleSunset}\` and a \`Link\` to this section. Look at \`capabilities\` instead: they say what the user
may do, and a system admin has \`["*"]\`.`;
