-- The key of a partition contains the time. The migration that makes the partitions turns this index into it.
CREATE UNIQUE INDEX CONCURRENTLY "audit_entries_key" ON "audit_entries" ("teamId", "at", "id");
