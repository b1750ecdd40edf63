const id = "the document";

/** Describes the fields of the operations by which the app reads, one table per operation. */
export const appNotes = {
  tree: {
    collectionId: "the collection; not needed with `to`",
    parentId: "the document above; by default the top level",
    to: "opens the tree at this document; send neither `parentId` nor `cursor`",
    limit: "rows of one level, at most 500",
    cursor: "`nextCursor` of the level",
  },
  view: {
    id,
    include: "the forms of the body; by default only `html`",
    prefetch: "`true` if the user has not opened the document: it is then not listed as viewed",
  },
  revision: { id, revision: "the number of the revision" },
  suggest: { query: "beginnings of words", collectionId: "only documents in this collection" },
  search: {
    query: "words to find, as in `documents.search`",
    collectionId: "only documents in this collection",
    tag: "only documents with this tag",
    status: "only documents in this state; by default drafts and published ones",
    limit: "rows per page, at most 100, default 25",
    offset: "rows to skip",
  },
  recent: { lists: "by default `viewed`, `changed` and `drafts`", limit: "rows of each list, at most 50, default 10" },
  attachments: {
    documentId: "the document that the files belong to",
    limit: "rows per page, at most 100, default 25",
    offset: "rows to skip",
  },
  backlinks: { id, limit: "rows per page, at most 100, default 25", offset: "rows to skip" },
  directory: {
    query: "part of the name",
    ids: "only these users, at most 100",
    administrators: "only those who administer the team and can log in",
    limit: "rows per page, at most 100, default 25",
    offset: "rows to skip",
  },
} as const;
