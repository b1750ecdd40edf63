-- A level of the tree in its order: the top level of a collection, where the parent is NULL, and the documents below a parent.
CREATE INDEX CONCURRENTLY "documents_in_tree" ON "documents" ("teamId", "collectionId", "parentDocumentId", "sortOrder", "id");
