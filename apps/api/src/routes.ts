import { type ErrorCode, operations } from "@kb/core";
import { archiveOf, type Row, route } from "@kb/http";
import { adminRoutes } from "./admin-routes.ts";
import { appRoutes } from "./app-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { fieldNotes } from "./field-notes.ts";
import { liveRoutes } from "./live-routes.ts";
import { publishedRoutes } from "./published-routes.ts";
import { rpcRoutes } from "./rpc-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

/** The date on which the deprecated `role` is removed (RFC 8594). */
export const roleSunset = "Sun, 15 Nov 2026 00:00:00 GMT";

type Revised = { readonly revision: number };
const revision = (output: Revised): number => output.revision;

const documents = "/api/v1/documents";
const collections = "/api/v1/collections";

/** The errors of a Markdown body. */
const bodyErrors: readonly ErrorCode[] = ["inline_image_rejected", "payload_too_large", "too_complex"];

/** Lists the rows of the REST API: every method of every path, with its operation. `appUrl` is the public origin. */
export function routes(appUrl: string): Row[] {
  return [
    ...userRoutes(appUrl),
    ...documentRoutes(),
    ...revisionRoutes(),
    ...searchRoutes(),
    ...collectionRoutes(),
    ...tagRoutes(),
    ...attachmentRoutes(),
    ...webhookRoutes(),
    ...sessionRoutes(),
    ...appRoutes(),
    ...liveRoutes(),
    ...rpcRoutes(),
    ...publishedRoutes(),
    ...auditRoutes(),
    ...adminRoutes(),
  ];
}

function userRoutes(appUrl: string): Row[] {
  const link = `<${appUrl}/docs#deprecations>; rel="deprecation"; type="text/html"`;
  return [
    route("get", "/api/v1/me", operations.getMe, { section: "User", headers: { Sunset: roleSunset, Link: link } }),
  ];
}

function documentRoutes(): Row[] {
  const section = "Documents";
  const one = `${documents}/{id}`;
  const versioned = { section, etag: revision };
  return [
    route("get", documents, operations.listDocuments, {
      section,
      body: "output",
      errors: ["sync_window_expired"],
      notes: fieldNotes.listDocuments,
      exampleQuery: "status=published&limit=10",
    }),
    route("post", documents, operations.createDocument, {
      ...versioned,
      status: 201,
      ifMatch: false,
      errors: bodyErrors,
      notes: fieldNotes.createDocument,
      example: {
        collectionId: "$collectionId",
        title: "Onboarding",
        text: "# Welcome\n\nStart here.",
        publish: true,
        tags: ["howto"],
      },
    }),
    route("get", one, operations.getDocument, {
      ...versioned,
      notes: fieldNotes.getDocument,
      exampleQuery: "format=markdown",
    }),
    route("patch", one, operations.updateDocument, {
      ...versioned,
      errors: bodyErrors,
      notes: fieldNotes.updateDocument,
      example: { title: "Onboarding, day one", published: true },
    }),
    route("delete", one, operations.deleteDocument, { section, ifMatch: true, notes: fieldNotes.guarded }),
    route("post", `${one}/restore`, operations.restoreDocument, {
      section,
      ifMatch: true,
      errors: ["not_in_trash"],
      notes: fieldNotes.restoreDocument,
    }),
    route("post", `${one}/archive`, operations.archiveDocument, { ...versioned, notes: fieldNotes.guarded }),
    route("post", `${one}/unarchive`, operations.unarchiveDocument, { ...versioned, notes: fieldNotes.guarded }),
    route("post", `${one}/edits`, operations.editDocument, {
      section,
      // A dry run returns no document, so it has no revision.
      etag: (output) => ("id" in output ? output.revision : undefined),
      errors: [...bodyErrors, "heading_not_found", "text_not_found", "text_ambiguous"],
      notes: fieldNotes.editDocument,
      example: { op: "append", markdown: "One more thing." },
    }),
  ];
}

function revisionRoutes(): Row[] {
  const section = "Revisions";
  const history = `${documents}/{id}/revisions`;
  return [
    route("get", history, operations.listRevisions, { section, body: "output", notes: fieldNotes.page }),
    route("get", `${history}/{revision}`, operations.getRevision, { section }),
    route("post", `${history}/{revision}/restore`, operations.restoreRevision, {
      section,
      etag: revision,
      notes: fieldNotes.guarded,
    }),
    route("post", `${history}/{revision}/undo`, operations.undoRevision, {
      section,
      etag: revision,
      errors: ["conflict", "payload_too_large", "too_complex"],
      notes: fieldNotes.undoRevision,
    }),
  ];
}

function searchRoutes(): Row[] {
  return [
    route("get", "/api/v1/search", operations.searchDocuments, {
      section: "Search",
      body: "output",
      notes: fieldNotes.search,
      exampleQuery: "query=onboarding",
    }),
  ];
}

function collectionRoutes(): Row[] {
  const section = "Collections";
  const one = `${collections}/{id}`;
  return [
    route("get", collections, operations.listCollections, { section, notes: fieldNotes.listCollections }),
    route("post", collections, operations.createCollection, {
      section,
      status: 201,
      notes: fieldNotes.collection,
      example: { name: "Handbook", icon: "📚", color: "#0b6b5f" },
    }),
    route("get", one, operations.getCollection, { section }),
    route("patch", one, operations.updateCollection, {
      section,
      notes: fieldNotes.collection,
      example: { description: "How we work." },
    }),
    route("get", `${collections}.export`, operations.exportCollection, {
      section,
      file: { type: "application/zip", of: ({ name, files }) => ({ name: `${name}.zip`, bytes: archiveOf(files) }) },
      errors: ["not_found"],
      notes: fieldNotes.exportCollection,
      exampleQuery: "id=$id&format=html",
    }),
    route("post", `${one}/archive`, operations.archiveCollection, { section }),
    route("post", `${one}/unarchive`, operations.unarchiveCollection, { section }),
  ];
}

function tagRoutes(): Row[] {
  const section = "Tags";
  return [
    route("get", "/api/v1/tags", operations.listTags, { section }),
    route("post", "/api/v1/tags", operations.createTag, {
      section,
      status: ({ created }) => (created ? 201 : 200),
      body: { data: "tag" },
      notes: fieldNotes.tag,
      example: { name: "howto", color: "#0b6b5f" },
    }),
  ];
}

function attachmentRoutes(): Row[] {
  return [
    route("post", "/api/attachments.upload", operations.uploadAttachment, {
      section: "Attachments",
      notes: fieldNotes.uploadAttachment,
      example: { name: "plan.png", contentType: "image/png", size: 48_213 },
    }),
    route("post", "/api/attachments.copy", operations.copyPicture, {
      section: "Attachments",
      idempotencyKey: false,
      notes: fieldNotes.copyPicture,
      errors: ["not_found"],
      example: { url: "https://example.com/plan.png", documentId: "$documentId" },
    }),
  ];
}
