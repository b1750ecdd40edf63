const expectedRevision = "the revision that you know; 409 where it is another one by now";
const collectionId = "only documents of this collection";
const tag = "only documents that carry this tag, in any case; repeated: all of them";
const tags = "the same as repeating `tag`: names between commas";
const limit = "rows of a page";
const offset = "rows to skip";

const body = {
  text: "Markdown; at most 1,500,000 characters",
  content: "editor JSON; taken instead of `text` where both are sent",
  emoji: "one emoji, shown before the title",
  sortOrder: "place among its siblings, smallest first",
  fullWidth: "shown without side margins",
};

/** What is to be known of the fields of a request beside their types, a table an operation. */
export const fieldNotes = {
  listDocuments: {
    collectionId,
    parentDocumentId: "only the direct children of this document",
    title: "only this exact title, in any case",
    status: "only these; without it drafts and published documents, archived ones not",
    tag,
    tags,
    deleted: "`true` lists the trash instead",
    sort: "`-` for descending; default `-updatedAt`",
    format: "`markdown` adds `markdownText` to each row",
    limit: `${limit}: 100 at most, default 25; in a sync 1000 at most, default 500`,
    offset,
    updatedSince: "starts a sync: what changed after this moment, oldest first",
    cursor: "goes on with a sync from `nextCursor`",
    includeDeleted: "in a sync: adds tombstones for what left your sight",
  },
  createDocument: {
    ...body,
    title: "default `Untitled`",
    parentDocumentId: "the document above it, of the same collection",
    publish: "`true` publishes it at once; else it is a draft",
    tags: "names, created or reused; at most 50",
  },
  getDocument: {
    format: "`markdown` adds `markdownText`",
    include: "`content` adds the editor JSON",
    deleted: "`true` finds it in the trash too, for those who could restore it",
  },
  updateDocument: {
    ...body,
    published: "`true` publishes it, `false` makes it a draft",
    tags: "replaces the unrestricted tags; empty clears them",
    collectionId: "moves it, with everything below it",
    parentDocumentId: "moves it below another document; `null` to the top",
    expectedRevision,
  },
  guarded: { expectedRevision },
  restoreDocument: { collectionId: "another collection, where its own is gone", expectedRevision },
  editDocument: {
    op: "what to do",
    markdown: "the Markdown to put in",
    heading: "the text of the heading, in any case; the first one that matches counts",
    oldText: "the text to replace; it must be there exactly once",
    newText: "what stands there afterwards",
    expectedRevision,
    dryRun: "`true` answers the difference and changes nothing",
  },
  page: { limit, offset },
  search: {
    query: 'words, which may be the beginnings of words; `"a phrase"`; `-without`',
    collectionId,
    tag,
    tags,
    status: "only these; without it drafts and published documents",
    limit,
    offset,
  },
  collection: {
    icon: "one emoji, or a name of `a-z`, `0-9` and `-`",
    color: "`#rgb` or `#rrggbb`; kept as lower-case `#rrggbb`",
    description: "plain text",
  },
  exportCollection: {
    id: "the collection",
    format: "`zip`: Markdown files; `html`: pages that need nothing but themselves",
    frontMatter: "`false` leaves the YAML with title, tags and emoji out of the Markdown files",
  },
  listCollections: { archived: "`true` lists the archived ones instead" },
  tag: {
    name: "kept in lower case; 1 to 64 characters, no comma",
    color: "`#rgb` or `#rrggbb`; a tag that is reused keeps its own",
  },
  uploadAttachment: {
    name: "the file's name; of a path the last part is kept",
    contentType: "the media type, such as `image/png`; the first bytes have to be of it",
    size: "in bytes: the most that the upload takes",
    documentId: "the document that it goes with, which the caller must be able to edit",
  },
  listPublished: {
    limit: `${limit}: 100 at most, default 25; a page holds more where rows share a millisecond`,
    cursor: "only what was updated before this moment: `nextCursor` of the page before",
    updatedSince: "only what was updated after this moment",
  },
  audit: {
    since: "only entries of this moment and after it",
    until: "only entries before this moment",
    action: "only this operation, such as `documents.update`, or `session.login`",
    userId: "only what this user did",
    outcome: "only what ended so",
    targetId: "only what was done to this thing",
    limit,
    cursor: "`nextCursor` of the page before",
  },
} as const;
