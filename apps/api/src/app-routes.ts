import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";
import { appNotes } from "./app-notes.ts";

/** A POST that only reads, so a retry is harmless. */
const reading = { section: "Reading in the app", idempotencyKey: false } as const;

/** Lists the rows by which the app in a browser reads, each what one screen or one menu needs, and by which users star documents. */
export function appRoutes(): Row[] {
  return [
    route("post", "/api/app.boot", operations.bootApp, {
      ...reading,
      csrfToken: false,
      note: "Send `csrfToken` as `X-CSRF-Token` with every other POST. This call itself does not need it.",
    }),
    route("post", "/api/documents.tree", operations.readTree, {
      ...reading,
      notes: appNotes.tree,
      example: { collectionId: "$collectionId" },
    }),
    route("post", "/api/documents.view", operations.viewDocument, { ...reading, notes: appNotes.view }),
    route("post", "/api/documents.revisions.view", operations.viewRevision, { ...reading, notes: appNotes.revision }),
    route("post", "/api/documents.suggest", operations.suggestDocuments, { ...reading, notes: appNotes.suggest }),
    route("post", "/api/documents.recent", operations.listRecent, { ...reading, notes: appNotes.recent }),
    route("post", "/api/documents.backlinks", operations.listBacklinks, {
      ...reading,
      body: "output",
      notes: appNotes.backlinks,
    }),
    route("post", "/api/attachments.list", operations.listAttachments, {
      ...reading,
      body: "output",
      notes: appNotes.attachments,
    }),
    route("post", "/api/attachments.delete", operations.deleteAttachment, { section: reading.section }),
    route("post", "/api/app.search", operations.searchInApp, {
      ...reading,
      body: "output",
      notes: appNotes.search,
    }),
    route("post", "/api/stars.list", operations.listStars, reading),
    route("post", "/api/stars.create", operations.createStar, { section: reading.section, errors: ["conflict"] }),
    route("post", "/api/stars.delete", operations.deleteStar, { section: reading.section }),
    route("post", "/api/users.directory", operations.listDirectory, {
      ...reading,
      body: "output",
      notes: appNotes.directory,
    }),
  ];
}
