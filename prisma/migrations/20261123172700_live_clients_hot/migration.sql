-- Every batch changes `at`: see the next migration.
DROP INDEX CONCURRENTLY IF EXISTS "live_clients_at_idx";
