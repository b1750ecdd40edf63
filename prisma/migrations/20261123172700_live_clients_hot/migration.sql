-- Every batch changes `at`: see the next migration.
DROP INDEX CONCURRENTLY "live_clients_at_idx";
