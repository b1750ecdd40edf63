import { section } from "./section.ts";

/** Decisions on events and webhooks. */
export const webhookDecisions = section("Decisions: events and webhooks", {
  "decision.events.payload":
    "Payload, thin: {id,type,timestamp,teamId,sequence,actor:{type,id,name},data:{id,title,collectionId,revision,changed,url}}; a snapshot at commit",
  "decision.webhooks.audience":
    "A subscription sees only what its creator can read, and may be narrowed to collections",
  "decision.webhooks.signature":
    "Signed by Standard Webhooks 1.0; secret whsec_…, shown once; both secrets sign for 24 h after a rotation",
  "decision.webhooks.at-least-once":
    "At least once; webhook-id is the same in every retry; order is kept inside one document",
  "decision.webhooks.retries":
    "2xx only, no redirects; retries after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h, ±20 %; Retry-After honoured",
  "decision.webhooks.disabled": "410 disables; 5 days of nothing but failures disables (webhook.disabled)",
  "decision.webhooks.rpc":
    "Session-only: /api/webhooks.* create, update, delete, list, info, rotateSecret, test, deliveries, redeliver; at most 20 a team",
  "decision.webhooks.log": "Deliveries are kept 30 days with status, latency, and the first 2 kB of the answer",
  "decision.retention.trash":
    "Permanent removal of trashed documents: automatic after TRASH_RETENTION_DAYS (30; 0 = never)",
});
