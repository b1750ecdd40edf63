-- Replaced by the index above. The worker of the previous release reads the table instead, at its next start.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "document_bodies_to_index_again";
ALTER INDEX "document_bodies_to_index_with_language" RENAME TO "document_bodies_to_index_again";
