const expectedRevision = "the revision that you read; 409 if the current one is another";
const collectionId = "only documents in this collection";
const tag = "only documents with this tag, ignoring case; repeat it to require several tags";
const tags = "tags separated by commas; the same as repeating `tag`";
const limit = "rows per page";
const offset = "rows to skip";

const body = {
  text: "Markdown, at most 1,500,000 characters",
  content: "editor JSON; takes precedence over `text`",
  emoji: "one emoji, shown before the title",
  sortOrder: "position among its siblings, smallest first",
  after:
    "the sibling after which it is placed, under its new parent if it moves; `null` places it first. Cannot be sent with `sortOrder`. Siblings that must move get a revision and an event each",
  fullWidth: "displays the document without side margins",
};

/** Describes the fields of requests, one table per operation. */
export const fieldNotes = {
  listDocuments: {
    collectionId,
    parentDocumentId: "only the direct children of this document",
    title: "only this exact title, ignoring case",
    createdBy: "only documents that this user created",
    linksTo: "only documents that link to this document; not in a sync",
    status: "only documents in this state; by default drafts and published documents",
    tag,
    tags,
    deleted: "`true` lists the trash",
    sort: "`-` sorts in descending order; default `-updatedAt`",
    format: "`markdown` adds `markdownText` to each row",
    limit: `${limit}, at most 100, default 25; in a sync at most 1000, default 500`,
    offset,
    updatedSince: "starts a sync: documents that changed after this time, oldest first",
    cursor: "continues a sync from `nextCursor`",
    includeDeleted: "in a sync: adds tombstones for documents that you can no longer see",
  },
  createDocument: {
    ...body,
    title: "default `Untitled`",
    parentDocumentId: "the parent document, in the same collection",
    publish: "`true` publishes it at once; by default it is a draft",
    tags: "tag names, created if they do not exist; at most 50",
  },
  getDocument: {
    format: "`markdown` adds `markdownText`",
    include: "`content` adds the editor JSON",
    deleted: "`true` also finds it in the trash, if you may restore it",
  },
  updateDocument: {
    ...body,
    published: "`true` publishes it, `false` turns it into a draft",
    tags: "replaces the unrestricted tags; an empty list removes them",
    collectionId: "moves it, with the documents below it",
    parentDocumentId: "moves it below another document; `null` moves it to the top",
    return: "`minimal` returns `id`, `revision` and `updatedAt` only",
    expectedRevision,
  },
  guarded: { expectedRevision },
  undoRevision: { revision: "the revision whose change is undone; not the first one", expectedRevision },
  restoreDocument: { collectionId: "another collection, if its own no longer exists", expectedRevision },
  editDocument: {
    op: "the kind of edit",
    markdown: "the Markdown to insert",
    heading: "the text of the heading, ignoring case; the first match is used",
    oldText: "the text to replace, as Markdown or as plain text; it must occur exactly once",
    task: "for `set_task`: the place of the task among all tasks of the document, from 0",
    text: "for `set_task`: the text of the task, without images and footnotes; white space does not matter",
    checked: "for `set_task`: `true` checks the box",
    newText: "the replacement, as Markdown",
    expectedRevision,
    dryRun: "`true` returns the diff and changes nothing",
  },
  page: { limit, offset },
  search: {
    query: 'words or beginnings of words; `"a phrase"`; `-excluded`',
    collectionId,
    tag,
    tags,
    status: "only documents in this state; by default drafts and published documents",
    limit,
    offset,
  },
  collection: {
    icon: "one emoji, or a name of `a-z`, `0-9` and `-`",
    color: "`#rgb` or `#rrggbb`; stored as lower-case `#rrggbb`",
    description: "plain text",
  },
  exportCollection: {
    id: "the collection",
    format: "`zip`: Markdown files; `html`: self-contained pages",
    frontMatter: "`false` omits the YAML front matter with title, tags and emoji from Markdown files",
  },
  listCollections: { archived: "`true` lists archived collections" },
  tag: {
    name: "1 to 64 characters without a comma; stored in lower case",
    color: "`#rgb` or `#rrggbb`; an existing tag keeps its color",
  },
  copyPicture: {
    url: "the address of the picture, at most 2,000 characters",
    documentId: "the document that the picture is for",
  },
  uploadAttachment: {
    name: "the file name; only the last part of a path is stored",
    contentType: "the media type, such as `image/png`; the content must match it",
    size: "the size in bytes, which the upload must not exceed",
    documentId: "the document to attach it to, which you must be able to edit",
  },
  listPublished: {
    limit: `${limit}, at most 100, default 25; a page is longer if rows share a millisecond`,
    cursor: "`nextCursor` of the previous page: only documents updated before this time",
    updatedSince: "only documents updated after this time",
  },
  audit: {
    since: "only entries from this time on",
    until: "only entries before this time",
    action: "only this operation, such as `documents.update`, or `session.login`",
    userId: "only actions of this user",
    outcome: "only entries with this outcome",
    targetId: "only actions on this resource",
    limit,
    cursor: "`nextCursor` of the previous page",
  },
} as const;
