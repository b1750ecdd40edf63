-- As `document_bodies_to_index_again`, for the index that knows whole titles, headings and languages. All bodies are in it until the worker
-- has indexed them again.
CREATE INDEX CONCURRENTLY "document_bodies_to_index_with_language" ON "document_bodies" ("teamId", "documentId")
  WHERE NOT ("vector" @@ '''#3'''::tsquery);
