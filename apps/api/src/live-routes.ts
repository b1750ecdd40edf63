import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";

const documentId = "the document";
const lineage = "the name of the log, as `live.open` returned it";

const options = { section: "Writing together", idempotencyKey: false } as const;

/** Lists the rows by which the app edits a document together with others. */
export function liveRoutes(): Row[] {
  return [
    route("post", "/api/live.open", operations.openLive, {
      ...options,
      note: "You open at most 60 documents in a minute.",
      notes: { documentId },
    }),
    pushRoute(),
    route("get", "/api/live.stream", operations.streamLive, {
      section: options.section,
      live: (stream) => stream,
      note: "You open at most 60 streams in a minute.",
      errors: ["not_found"],
      notes: {
        documentId,
        lineage,
        since: "the last version that the client has",
        lastEventId: "the `id` of the last event that the client received; it takes precedence over `since`",
      },
    }),
    route("post", "/api/live.presence", operations.tellPresence, {
      ...options,
      errors: ["conflict"],
      notes: {
        documentId,
        tabId: "a UUID of this tab, which others see: another one than the `clientId` of `live.push`",
        version: "the version in which `anchor` and `head` are positions",
        anchor: "the start of the selection",
        head: "the end of the selection, where the caret is",
        leave: "whether you close the document",
      },
    }),
    route("post", "/api/live.batches", operations.pullBatches, {
      ...options,
      errors: ["lineage_changed", "too_old"],
      notes: { documentId, lineage, since: "the last version that the client has" },
    }),
  ];
}

function pushRoute(): Row {
  return route("post", "/api/live.push", operations.pushSteps, {
    ...options,
    burst: { field: "clientId", limit: 40, windowMs: 5_000 },
    note: "A client sends at most 40 batches in any 5 seconds, also those that are refused for another reason: put more steps into one.",
    errors: [
      "conflict",
      "lineage_changed",
      "schema_ahead",
      "too_old",
      "steps_refused",
      "too_complex",
      "payload_too_large",
    ],
    notes: {
      documentId,
      lineage,
      clientId: "a UUID of this tab; another one for each log",
      seq: "the number of the batch: 1 for the first of a client, then one more for each",
      base: "the version for which the steps were made",
      schema: "the number of the schema, as `live.open` returned it",
      steps: "ProseMirror steps as JSON: at most 500, and 2,000,000 characters",
    },
    example: {
      documentId: "$documentId",
      lineage: "$lineage",
      clientId: "$clientId",
      seq: 1,
      base: 0,
      schema: 1,
      steps: [{ stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "text", text: "Hello " }] } }],
    },
  });
}
