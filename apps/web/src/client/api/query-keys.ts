/** The keys under which the app keeps answers that a page may bring along. The server writes the same. */
export const queryKeys = {
  list: (filter: object) => ["documents.list", filter],
  level: (collectionId: string, parentId: string | null) => ["documents.tree", collectionId, parentId],
  place: (id: string) => ["documents.place", id],
  search: (request: object) => ["app.search", request],
  collection: (id: string) => ["collections.get", id],
  recent: () => ["documents.recent"],
  tags: () => ["tags.list"],
  backlinks: (id: string) => ["documents.backlinks", id],
  files: (id: string) => ["attachments.list", id],
  revisions: (id: string, page: number) => ["documents.revisions.list", id, page],
  revision: (id: string, revision: number) => ["documents.revisions.view", id, revision],
  /** Any other operation, by its name and input. */
  operation: (name: string, input: object) => [name, input],
} as const;

/** Those of whom a page says that they can give access: the first administrators by name. */
export const shownAdministrators = { administrators: true, limit: 5 } as const;

/** The backlinks below a document, at first. */
export const shownBacklinks = 50;

/** The files below a document, at first. */
export const shownFiles = 100;

/** The people and groups in the list of who has access, at first. */
export const shownGrants = 100;
