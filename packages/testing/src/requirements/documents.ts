import { section } from "./section.ts";

const fields = section("Document (REST)", {
  "document.field.id": "id: string uuid, required",
  "document.field.title": "title: string, required; at most 255 characters on write",
  "document.field.emoji": "emoji: string or null; optional emoji prefix used as icon",
  "document.field.text": "text: string or null; plain-text content, read-only, derived from the body",
  "document.field.collection-id": "collectionId: string uuid or null",
  "document.field.parent-document-id": "parentDocumentId: string uuid or null",
  "document.field.team-id": "teamId: string uuid",
  "document.field.created-by-id": "createdById: string uuid or null",
  "document.field.last-modified-by-id": "lastModifiedById: string uuid or null",
  "document.field.published-at": "publishedAt: date-time or null; null means draft",
  "document.field.archived-at": "archivedAt: date-time or null",
  "document.field.deleted-at": "deletedAt: date-time or null",
  "document.field.revision": "revision: integer; changes on each edit; clients use it for exact drift detection",
  "document.field.tags":
    "tags: array of string; the document's unrestricted tag names; restricted (ACL) tags are excluded",
  "document.field.sort-order": "sortOrder: number",
  "document.field.full-width": "fullWidth: boolean",
  "document.field.collaborative-id": "collaborativeId: string or null",
  "document.field.created-at": "createdAt: date-time",
  "document.field.updated-at": "updatedAt: date-time",
  "document.field.markdown-text":
    "In a list response made with `updatedSince` and `format=markdown`, each row also carries `markdownText` (string, the Markdown body)",
});

const states = section("States and transitions", {
  "documents.state.timestamps":
    "A document's state comes from three nullable timestamps: publishedAt (null means draft), archivedAt and deletedAt (set means in the trash)",
  "documents.state.create-published":
    "POST /api/v1/documents with `publish` true: published (publishedAt set), document returned",
  "documents.state.create-draft":
    "POST /api/v1/documents with `publish` absent or false: draft (publishedAt null), document returned",
  "documents.state.publish": "draft, PATCH with `published` true: published",
  "documents.state.unpublish": "published, PATCH with `published` false: draft",
  "documents.state.delete":
    "active, DELETE /api/v1/documents/{id}: in trash (soft-deleted, deletedAt set); the document can be restored",
  "documents.state.restore":
    "in trash, POST /api/v1/documents/{id}/restore: restored to its collection; returns status `restored`",
  "documents.state.restore-repeat": "Restore is safe to repeat",
  "documents.state.trash-list": "The trash is listed with GET /api/v1/documents?deleted=true",
  "documents.state.destroy-in-app": "Permanent removal of trashed documents is done in the app",
});

const endpoints = section("Documents: endpoints", {
  "documents.list": "GET /api/v1/documents answers {total, limit, offset, data: [Document]}",
  "documents.create": "POST /api/v1/documents answers {data: Document} (created document)",
  "documents.get": "GET /api/v1/documents/{id}: path id uuid; {data: Document}",
  "documents.update": "PATCH /api/v1/documents/{id}: path id uuid, body; {data: Document}",
  "documents.delete": "DELETE /api/v1/documents/{id}: soft delete",
  "documents.restore": "POST /api/v1/documents/{id}/restore: no body; {data: {id: uuid, status: string}}",
});

const list = section("Documents: query parameters of the list", {
  "documents.list.collection-id": "collectionId (uuid): filter by collection",
  "documents.list.parent-document-id": "parentDocumentId (uuid): direct children of this document",
  "documents.list.title": "title: exact title match, case-insensitive, for targeted existence lookups",
  "documents.list.status": "status: filter by publish status; `published` is one allowed value",
  "documents.list.tag-filter": "tag filter: filters by tag name, case-insensitive",
  "documents.list.deleted": "deleted (boolean): when true, lists the trash instead of active documents",
  "documents.list.limit": "limit (integer): page size",
  "documents.list.offset": "offset (integer): page offset",
  "documents.list.updated-since":
    "updatedSince (date-time): returns only documents updated after it; incremental sync mode",
  "documents.list.format-markdown": "format: `markdown` together with `updatedSince` adds `markdownText` to each row",
  "documents.list.paginated": "The list is paginated",
  "documents.list.sync-without-total": "The incremental-sync form (`updatedSince` set) omits classic total pagination",
});

const create = section("Documents: body of POST", {
  "documents.create.title-default": "title: optional, default `Untitled`",
  "documents.create.title-length": "title: at most 255 characters",
  "documents.create.collection-id": "collectionId: uuid, required",
  "documents.create.parent-document-id": "parentDocumentId: uuid, optional",
  "documents.create.text": "text: Markdown body, converted to structured JSON internally",
  "documents.create.content": "content: structured editor JSON, used instead of `text`",
  "documents.create.publish": "publish: publishes immediately when true",
  "documents.create.tags": "tags: flat names, create-or-reuse by normalized name",
  "documents.create.tags-replace": "tags: replaces the document's unrestricted tags; omitted means tags are untouched",
});

const update = section("Documents: body of PATCH", {
  "documents.update.all-optional": "Every field of the body is optional",
  "documents.update.title": "title: at most 255 characters",
  "documents.update.text": "text: Markdown body; replaces the editor content when set",
  "documents.update.content": "content: structured editor JSON; takes precedence over `text` when both are sent",
  "documents.update.published": "published: true publishes, false unpublishes into draft",
  "documents.update.tags": "tags: replaces the unrestricted tags; omitted leaves them untouched",
  "documents.update.tags-empty": "An empty `tags` array clears the document's unrestricted tags",
});

const body = section("Body format", {
  "body.text-or-content":
    "REST writes accept `text` (Markdown) or `content` (structured editor JSON); when both are sent, `content` takes precedence",
  "body.round-trip.headings": "Markdown round-trips: headings H1 to H6 with heading IDs written {#anchor}",
  "body.round-trip.inline":
    "Markdown round-trips: paragraphs, bold, italic, inline code, strikethrough, underline, highlight ==x==, subscript, superscript",
  "body.round-trip.footnotes": "Markdown round-trips: footnotes",
  "body.round-trip.emoji": "Markdown round-trips: emoji shortcodes, stored as Unicode",
  "body.round-trip.lists":
    "Markdown round-trips: ordered lists with custom start index, unordered lists, nested lists, task lists",
  "body.round-trip.blocks":
    "Markdown round-trips: block quotes, fenced code blocks with language hint, horizontal rules, GFM tables, links",
  "body.round-trip.images": "Markdown round-trips: images via external URL",
  "body.definition-lists": "Definition lists are unsupported and must be avoided on write",
  "body.inline-image":
    "Inline base64 images in Markdown are rejected; images are referenced by an externally reachable URL",
});

/** Requirements of the contract for documents: their fields, states, endpoints and bodies. */
export const documentRequirements = { ...fields, ...states, ...endpoints, ...list, ...create, ...update, ...body };
