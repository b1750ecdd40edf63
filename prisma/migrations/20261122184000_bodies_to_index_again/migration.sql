-- The bodies that are not indexed as this release does it, for the worker, which indexes them again. The previous release may still
-- add some. Empty after that.
CREATE INDEX CONCURRENTLY "document_bodies_to_index_again" ON "document_bodies" ("teamId", "documentId")
  WHERE NOT ("vector" @@ '''#2'''::tsquery);
