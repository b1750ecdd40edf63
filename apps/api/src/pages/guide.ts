import type { ErrorCode } from "@kb/core";
import { statusOf } from "@kb/http";
import { html } from "hono/html";
import { roleSunset } from "../routes.ts";
import { type Html, inline, prose } from "./page.ts";

/** The sections of the guide, in order. */
export const guideSections = [
  { id: "start", title: "Getting started" },
  { id: "log-in", title: "Log in as a person" },
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

/** Renders the guide: the rules that apply to every operation. */
export function guide(appUrl: string): Html {
  const [start, logIn, conventions, errors, concurrency, retries, sync, channels, audit, limits, deprecations] =
    guideSections;
  return html`${section(start, startText, curlStart(appUrl))}
${section(logIn, logInText, curlLogIn(appUrl))}
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

const startText = `Send an API key with every request: \`Authorization: Bearer kb_…\`. A key acts with the permissions of its owner and
never with more. It has the scopes \`read\`, \`write\` or \`admin\`; each operation below names the one that it needs. A restricted
key reaches only certain collections and documents.`;

function curlStart(appUrl: string): Html {
  return html`<pre><code>export KEY=kb_…

curl ${appUrl}/api/v1/me \\
  -H "Authorization: Bearer $KEY"</code></pre>`;
}

const logInText = `Operations marked \`session\` are those of the app: an API key cannot call them. Log in with your password, and keep the
cookies in a file. Send the CSRF token and the origin with every other POST. A session ends after 30 days without use, when you log
out, and when your password changes. Some operations ask again who you are after 15 minutes: call \`auth.prove\`. With a
second factor or single sign-on, log in with a browser instead.`;

function curlLogIn(appUrl: string): Html {
  const commands = [
    `FORM=$(curl -s -c cookies.txt "${appUrl}/login" | sed -nE 's/.*name="csrf" value="([^"]*)".*/\\1/p' | head -n 1)`,
    `curl -s -b cookies.txt -c cookies.txt "${appUrl}/login" -H "Origin: ${appUrl}" \\`,
    `  --data-urlencode "csrf=$FORM" --data-urlencode "email=$EMAIL" --data-urlencode "password=$PASSWORD"`,
    `CSRF=$(curl -s -b cookies.txt -X POST "${appUrl}/api/auth.me" | sed -nE 's/.*"csrfToken":"([^"]*)".*/\\1/p')`,
  ];
  return html`<pre><code>${commands.join("\n")}</code></pre>`;
}

const conventionsText = `Send bodies as JSON objects in UTF-8 with \`Content-Type: application/json\`. An unknown key or query
parameter is an error that names it. Ids are UUIDs. Times are ISO 8601 in UTC with milliseconds.

Repeat a list parameter: \`tag=one&tag=two\`. A page has 25 rows by default; set \`limit\` for up to 100.

A resource that you may not see answers exactly like one that does not exist.

Every answer has an \`X-Request-Id\`. Send your own (1 to 128 of \`A-Z a-z 0-9 . _ -\`) to use it instead.`;

const errorsText = `An error is \`{error, code, details?}\`: a message for people, a stable code for programs and, where it helps, a
list of \`{path, message}\`.`;

const meanings: Readonly<Record<ErrorCode, string>> = {
  validation_error: "The request is invalid. `details` names the fields.",
  inline_image_rejected: "The Markdown contains a base64 image. Upload it or link to it.",
  authentication_required: "The credential is missing.",
  invalid_api_key: "The API key is unknown, expired or revoked.",
  invalid_token: "The access token or channel token is unknown, expired or revoked.",
  insufficient_scope: "The credential lacks the scope.",
  forbidden: "The user lacks the permission.",
  proof_required: "The last proof of the session is older than 15 minutes. Call `auth.prove`, then repeat the call.",
  mcp_disabled: "MCP is switched off for the team.",
  not_found: "The resource does not exist, or you may not see it.",
  not_in_trash: "The document is not in the trash.",
  heading_not_found: "The document has no such heading. `details` lists its headings.",
  text_not_found: "The text to replace does not occur.",
  method_not_allowed: "The path does not support the method. See `Allow`.",
  revision_conflict: "Somebody else changed the document: 409 for `expectedRevision`, 412 for `If-Match`.",
  conflict: "The request conflicts with the current state.",
  idempotency_mismatch: "The `Idempotency-Key` was used for another request.",
  text_ambiguous: "The text to replace occurs more than once.",
  editing_now: "Somebody is typing in the document. Change a part of it, or send the revision that you read.",
  lineage_changed: "The log of the document ended or was replaced. Open the document again.",
  schema_ahead: "The page is older than the server. Reload it.",
  steps_refused: "The steps of live editing do not apply. Open the document again.",
  too_old: "The log of the document does not reach back that far. Open the document again.",
  sync_window_expired: "The sync cursor is too old. Start the sync again.",
  payload_too_large:
    "The body is too large, or a storage quota is used up: `details` then names the usage and the limit.",
  too_complex: "The content takes too much processor time. Send it in smaller parts.",
  unsupported_media_type: "The body is not JSON.",
  rate_limited: "Too many requests. Wait for the number of seconds in `Retry-After`.",
  internal_error: "An internal error. Include the `X-Request-Id` in your report.",
  unavailable: "The service is temporarily unavailable. Wait for the number of seconds in `Retry-After`.",
};

function errorTable(): Html {
  const codes = Object.entries(meanings);
  const status = (code: string): number => new Map<string, number>(Object.entries(statusOf)).get(code) ?? 500;
  return html`<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${codes.map(
    ([code, meaning]) =>
      html`<tr><td><code>${code}</code></td><td>${status(code)}</td><td>${inline(meaning)}</td></tr>`,
  )}</tbody></table>`;
}

const concurrencyText = `A document has a \`revision\`, which is also its \`ETag\` and increases with every visible change. Send the revision
that you read in \`If-Match\` (as \`"3"\`) or in the body as \`expectedRevision\`. If somebody else changed the document first, the
answer is 412 or 409 and nothing changes. Its \`details\` contain the current revision and, if the old one is stored, the diff
in Markdown lines. Without a guard the last write wins, but append, prepend and insert never lose an edit.

\`If-None-Match\` on a \`GET\` answers 304 while nothing has changed. A write that changes nothing creates no revision.`;

const retriesText = `Send an \`Idempotency-Key\` of 1 to 255 characters with a \`POST\`. The same request with the same key within 24 hours
runs once: a retry returns the stored answer with \`Idempotency-Replayed: true\`. A retry while the first request still runs
answers 409 \`conflict\`. A different request with the same key answers 409 \`idempotency_mismatch\`.`;

const syncText = `\`GET /api/v1/documents?updatedSince=…\` lists the documents that changed after a time, oldest first, with 500 rows per
page and at most 1000. Continue with \`cursor\`, or use the last row's \`updatedAt\` as the next \`updatedSince\`: rows of the same
millisecond are always on one page. \`includeDeleted=true\` adds tombstones for documents that you can no longer see. Tombstones
are kept for 90 days.`;

const channelsText = `A publishing channel shows documents to readers outside the team, who use a token of the channel:
\`Authorization: Bearer kbc_…\`. The token opens only that channel, and no other credential does. A channel shows
published documents, except archived ones and those in the trash or in an archived collection. If the channel names
collections, a document must be in one of them; if it names tags, a document must have one of them. A channel with only tags
shows documents that everyone in the team may read. A document that no longer matches leaves the channel at once. Restricted
tags match nothing.

The format settings of the channel add \`markdownText\` and \`html\`. The HTML is safe to embed: it contains no markup that an
author wrote. Use \`If-None-Match\` to check for changes: 304 means that nothing has changed.`;

const auditText = `The audit log records every change, refusal, login and logout: the user, the credential, the action, its target, the
time, the address and the outcome. It never contains content or secrets. The entry of a change is written in the same
transaction. A request that changes nothing leaves no entry. A missing and a hidden resource are both recorded as \`not_found\`
with the requested id. Entries are kept for 365 days. A restricted key cannot read the log.`;

const limitsText = `\`X-RateLimit-Limit\` is the number of requests that a user may send per minute, with all keys and apps together.
Browser sessions have a limit of their own, 600 a minute by default. Each request of an MCP batch counts. Each channel token is
counted separately, and so is each client address without a credential. \`X-RateLimit-Remaining\` is the number of requests
left, and \`X-RateLimit-Reset\` the Unix time at which the next one becomes available. Over the limit the answer is 429 with
\`Retry-After\`. Each user also has a budget of processor time and bytes per minute, which normal use never reaches; beyond it the
answer is the same. While others are active, the requests of a user take turns and may use half of that processor time in a minute: a
request that would wait for more than 32 seconds gets that answer, too. \`GET /api/health\` needs no key and is not counted.

The limits are 5 MB for a JSON body, 1,500,000 characters for a Markdown body, and 255 characters for a title or the name of a
collection.`;

const deprecationsText = `\`role\` in \`GET /api/v1/me\` has been deprecated since v0.1.0 and will be removed in v0.2.0. The endpoint
stays. Its answers have \`Sunset: ${roleSunset}\` and a \`Link\` to this section. Use \`capabilities\` instead, which lists the
permissions of the user; a system admin has \`["*"]\`.`;
