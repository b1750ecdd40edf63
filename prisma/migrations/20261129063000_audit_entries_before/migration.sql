-- The entries that exist become the first partition of the audit log, and those of the next weeks with them. The bound lets that partition
-- be attached without reading it while others wait. It is at least four weeks ahead, and behind an entry of a clock that was fast.
DO $$
DECLARE
  "last" timestamptz := (SELECT max("at") FROM "audit_entries");
  "bound" timestamptz := date_trunc('month', greatest("last", now() + interval '1 month') AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  EXECUTE format('ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_before_bound" CHECK ("at" < %L) NOT VALID', "bound");
END $$;
