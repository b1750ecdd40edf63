-- Each of them is replaced by one of the rows that have a value. No query looks for rows without one by these indexes.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "documents_teamId_deletedAt_idx", "documents_teamId_deleteBatchId_idx", "documents_teamId_archiveBatchId_idx",
  "documents_teamId_parentDocumentId_idx";
ALTER INDEX "documents_deleted" RENAME TO "documents_teamId_deletedAt_idx";
ALTER INDEX "documents_of_delete_batches" RENAME TO "documents_teamId_deleteBatchId_idx";
ALTER INDEX "documents_of_archive_batches" RENAME TO "documents_teamId_archiveBatchId_idx";
ALTER INDEX "documents_below_others" RENAME TO "documents_teamId_parentDocumentId_idx";
