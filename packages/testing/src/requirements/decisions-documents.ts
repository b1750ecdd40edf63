import { section } from "./section.ts";

const documents = section("Decisions: documents", {
  "decision.documents.delete-answer": '200 {data:{id,status:"deleted",deletedAt}}; deleting a trashed document is 404',
  "decision.documents.delete-subtree":
    "A delete trashes the whole subtree as one batch; restore of the batch's root brings the batch back; a child can be restored by itself",
  "decision.documents.restore":
    "Restore keeps publishedAt; parent reset to null when it is missing or trashed; a document that is not in the trash is 404 not_in_trash and nothing changes",
  "decision.documents.restore-archived-collection": "Restore into an archived collection is 409",
  "decision.documents.read-trash":
    "GET of a trashed document is 404; with ?deleted=true it answers for those who could restore it",
  "decision.documents.archive":
    "POST /api/v1/documents/{id}/archive and /unarchive (subtree); 200 {data: Document}; a repeat is a no-op",
  "decision.documents.archived-hidden": "Archived is excluded from lists and search unless asked for (status=archived)",
  "decision.documents.url": "Every Document also has url, the page in the app: {base_url}/documents/{id}",
  "decision.documents.status-filter": "status: draft, published, archived; repeatable; another value is 400",
  "decision.documents.tag-filter": "tag, repeatable = all of them, case-insensitive; tags=a,b is an alias",
  "decision.documents.sort":
    "sort: updatedAt, createdAt, title, sortOrder, each with - for descending; default -updatedAt; ties by id",
  "decision.documents.paging": "limit over the maximum, under 1 or not a whole number is 400, not clamped",
  "decision.documents.draft-visibility": "A draft is seen by its author and by those who may edit in its collection",
  "decision.documents.format-markdown":
    "format=markdown also on GET /api/v1/documents/{id} and on the plain list: adds markdownText",
  "decision.documents.include-content": "GET /api/v1/documents/{id}?include=content adds the structured JSON",
  "decision.documents.revision":
    "revision starts at 1; +1 with every committed change of anything that the document shows; updatedAt moves with it",
  "decision.documents.etag": 'Every document response has ETag: "<revision>"; If-None-Match gives 304',
  "decision.documents.if-match":
    "If-Match (412) or body expectedRevision (409) on every mutation; details carry currentRevision; of two writers with one If-Match exactly one wins",
  "decision.documents.parallel-appends":
    "50 parallel appends give 50 fragments and revision +50: append, prepend and insert never lose a concurrent edit",
  "decision.documents.no-op":
    "A write that changes nothing answers 200 with the document unchanged: no new revision, no event",
  "decision.documents.moves":
    "PATCH also takes collectionId, parentDocumentId (null = top), sortOrder, emoji, fullWidth",
  "decision.documents.cycle": "A cycle of parents is 409",
  "decision.documents.revisions":
    "GET /documents/{id}/revisions and /revisions/{revision}: Markdown, author, credential kind, time",
  "decision.documents.revision-run":
    "A run of edits by one author with one credential within 5 minutes is one stored revision",
  "decision.documents.revision-whole":
    "A whole-body write by an assistant (MCP) is always a stored revision of its own; so is the restoring of a revision",
  "decision.documents.revision-restore":
    "POST /documents/{id}/revisions/{revision}/restore: 200 {data: Document}, a new revision",
  "decision.documents.revision-undo":
    "POST /documents/{id}/revisions/{revision}/undo takes one change back as a new revision, which names it; later changes stay",
  "decision.documents.revision-undo-left":
    "Parts that were changed or deleted since are left and counted; 409 conflict where nothing is left to undo",
  "decision.documents.edits":
    "POST /documents/{id}/edits {op: append, prepend, insert_after_heading, replace_section or replace_text}: 200 {data: Document}",
  "decision.documents.edits-dry-run": "dryRun answers {data:{diff,revision}} and changes nothing",
  "decision.documents.edits-lists":
    "Items that are inserted beside a list of the same kind, and rows beside a table, become a part of it; no edit leaves an empty paragraph",
  "decision.documents.edits-heading":
    "An edit names a heading by its text, as `## text` or as `#anchor`; Markdown that begins with the heading of its section does not double it",
  "decision.documents.replace-text":
    "replace_text looks for oldText in the Markdown as reads show it, then in the plain text; it must match exactly once, otherwise the error says how often and shows the nearest passages",
  "decision.documents.replace-text-marks":
    "newText is Markdown; any part of oldText that stays keeps its marks, and no mark is spread",
  "decision.documents.replace-text-edits": "edits:[{oldText,newText}] (up to 100) in place of the two: all or none",
  "decision.documents.edits-untouched":
    "Everything that a targeted edit does not touch stays identical, byte for byte in the Markdown",
});

const search = section("Decisions: search", {
  "decision.search.answer":
    "GET /api/v1/search?query=&collectionId=&tag=&status=&limit=&offset= answers {total,limit,offset,data:[{document,snippet,score}]}",
  "decision.search.snippet": "snippet has matches between <mark>, the rest escaped",
  "decision.search.permission": "Permission is inside the query: a page of 25 is full when 25 visible hits exist",
  "decision.search.languages":
    "Any language: accents folded, word prefixes, quoted phrases, -word, CJK and Thai substrings",
  "decision.search.typo": "One typo in a word of five letters or more is forgiven",
  "decision.search.ranked":
    "A title that is the query ranks first, then titles that begin with it; long pages are not hidden by their length",
  "decision.search.language": "With lang, documents in that language come first; a tool names the language of a hit",
  "decision.search.ranking": "Title counts most, then tags, headings, text",
});

const sync = section("Decisions: incremental sync", {
  "decision.sync.answer":
    "Order updatedAt, id ascending; default 500, maximum 1000; answer {limit,data,hasMore,nextCursor}, no total",
  "decision.sync.ties": "updatedSince is exclusive, and rows that share a millisecond are never split by a page",
  "decision.sync.cursor": "cursor (opaque) is the exact way",
  "decision.sync.tombstones":
    "includeDeleted=true adds tombstones {id,deletedAt,tombstone:true} for documents that were trashed, archived, or moved or unpublished out of the caller's sight since then",
  "decision.sync.window": "Tombstones are kept 90 days; an older updatedSince with includeDeleted is 410",
  "decision.sync.access-changed":
    "A cursor made before the caller's own access was changed is 410: the client starts again",
  "decision.sync.commit-order":
    "A change is visible to the sync in the order of its updatedAt: a slow transaction that commits late does not slip under a cursor",
});

const collections = section("Decisions: collections and tags", {
  "decision.collections.icon": "icon: one emoji, or a name [a-z0-9-]{1,64}",
  "decision.collections.color": "color: #rgb or #rrggbb, any case in, stored as lower-case #rrggbb; tags too",
  "decision.collections.null-clears": "null clears icon, color, description",
  "decision.collections.archive":
    "POST /api/v1/collections/{id}/archive and /unarchive; GET /api/v1/collections?archived=true lists the archived; a repeat is a no-op",
  "decision.tags.name": "Tag name: trimmed, inner white space folded, NFKC, lower-cased; 1-64 code points; no comma",
  "decision.names.visible": "Default-ignorable and bidirectional characters are removed from tags and names",
  "decision.tags.in-sight": "A tag that only documents out of sight carry is not listed",
  "decision.tags.restricted-key": "POST /api/v1/tags answers a restricted key identically for hidden and absent names",
  "decision.tags.per-document": "At most 50 tags a document",
  "decision.tags.document-count": "documentCount counts what the caller may read, trash and archive excluded",
  "decision.tags.restricted-namespace":
    "Restricted tags are a namespace of their own: an unrestricted tag of the same name may stand beside one",
});

/** Decisions on points that the contract leaves open: documents, search, sync, collections and tags. */
export const documentDecisions = { ...documents, ...search, ...sync, ...collections };
