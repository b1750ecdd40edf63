import { section } from "./section.ts";

const channels = section("Decisions: published documents (channels)", {
  "decision.channels.shown":
    "A channel shows published, unarchived, untrashed documents only, none of an archived collection",
  "decision.channels.leaves":
    "Documents leave the channel the moment they are unpublished, archived, trashed, moved out or lose the tag",
  "decision.channels.sources":
    "A channel shows documents of any of its collections and with any of its tags; where it names both, a document needs both; what it named and is deleted by now narrows it still",
  "decision.channels.restricted-tags":
    "A restricted tag matches nothing in a channel: no channel tells who carries one",
  "decision.channels.formats":
    "Format settings {markdown, html}: markdownText and html are there exactly when the channel asks for them",
  "decision.channels.refusals":
    "Missing or malformed or unknown token 401; a valid token of another channel 403; a user API key on these routes 401; a channel token on any other route 401",
  "decision.channels.limit": "limit default 25, maximum 100; newest first; nextCursor null at the end",
  "decision.channels.ties":
    "Rows that share a millisecond are never split by a page, so the ISO-timestamp cursor loses nothing",
  "decision.channels.etag": "ETag and If-None-Match; Cache-Control: private, max-age=0, must-revalidate",
  "decision.channels.last-use":
    "One indexed look-up by the token's hash a request, none for what cannot be a token; lastUsedAt at most once a minute",
  "decision.channels.rate-limit": "A channel token is counted by itself in the rate limit",
});

const audit = section("Decisions: audit log", {
  "decision.audit.changes":
    "Every change is in the audit log: who (user, credential, kind), what, on what, when, from where; a change that changes nothing is not",
  "decision.audit.atomic": "The entry of a change exists exactly when the change does",
  "decision.audit.denials":
    "Every denied access is in the audit log, written behind the answer; what is hidden and what is absent alike",
  "decision.audit.log-ins": "Log-ins, failed ones too, are in the audit log",
  "decision.audit.no-secrets": "No entry of the audit log holds content or a secret",
  "decision.audit.read": "GET /api/v1/audit-log with admin scope and audit.read; /api/audit.list in the app",
  "decision.audit.paging": "Newest first, filtered by time, action, user, outcome and target, in pages by a cursor",
  "decision.audit.kept": "Entries are kept for 365 days",
});

/** Decisions on points that the contract leaves open: channels and the audit log. */
export const channelAndAuditDecisions = { ...channels, ...audit };
