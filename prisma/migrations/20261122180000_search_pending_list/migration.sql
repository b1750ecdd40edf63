-- New documents wait in a list that every search reads completely. With the default of 4 MB, a search after an import took ten
-- times as long, and the write that filled the list waited for all of it to be merged.
ALTER INDEX "document_bodies_vector_idx" SET (gin_pending_list_limit = 256);
