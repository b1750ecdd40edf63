-- Partitions the audit log by month. Reads no row: the bound was checked, and every index of the partition exists.
-- squawk-ignore renaming-table
ALTER TABLE "audit_entries" RENAME TO "audit_entries_before";
-- squawk-ignore disallowed-unique-constraint
ALTER TABLE "audit_entries_before" DROP CONSTRAINT "audit_entries_pkey",
  ADD CONSTRAINT "audit_entries_before_pkey" PRIMARY KEY USING INDEX "audit_entries_key";
-- The key has the same columns. No release uses an index by its name.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "audit_entries_teamId_at_id_idx";
ALTER INDEX "audit_entries_at_idx" RENAME TO "audit_entries_before_at_idx";
ALTER INDEX "audit_entries_teamId_userId_at_id_idx" RENAME TO "audit_entries_before_teamId_userId_at_id_idx";
ALTER INDEX "audit_entries_teamId_targetId_at_id_idx" RENAME TO "audit_entries_before_teamId_targetId_at_id_idx";
ALTER INDEX "audit_entries_teamId_action_at_id_idx" RENAME TO "audit_entries_before_teamId_action_at_id_idx";

CREATE TABLE "audit_entries" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "userId" UUID,
    "credentialKind" TEXT NOT NULL,
    "credentialId" TEXT,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "targetType" TEXT,
    "targetId" UUID,
    "address" TEXT,
    "requestId" TEXT,
    "details" JSONB,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("teamId","at","id")
) PARTITION BY RANGE ("at");
CREATE INDEX "audit_entries_teamId_userId_at_id_idx" ON "audit_entries"("teamId", "userId", "at", "id");
CREATE INDEX "audit_entries_teamId_targetId_at_id_idx" ON "audit_entries"("teamId", "targetId", "at", "id");
CREATE INDEX "audit_entries_teamId_action_at_id_idx" ON "audit_entries"("teamId", "action", "at", "id");

-- Roles that may read the log go on reading it.
DO $$
DECLARE
  "grant" record;
BEGIN
  FOR "grant" IN SELECT a.grantee, a.privilege_type, a.is_grantable FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
    WHERE c.oid = '"audit_entries_before"'::regclass AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT %s ON "audit_entries" TO %s%s', "grant".privilege_type,
      CASE WHEN "grant".grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid("grant".grantee)) END,
      CASE WHEN "grant".is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$;

-- The release before deletes expired entries by their places in the file (ctid), which are those of other entries in each partition.
-- The worker of this release drops months instead.
CREATE RULE "audit_entries_kept" AS ON DELETE TO "audit_entries" DO INSTEAD NOTHING;

-- Returns the partitions in their order. They follow each other without a gap: "audit_entries_before" has no beginning, and
-- "audit_entries_later" no end, so that an entry of any time has its place.
CREATE FUNCTION "audit_partitions"() RETURNS TABLE ("name" text, "since" timestamptz, "until" timestamptz) LANGUAGE sql STABLE
SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
  SELECT c.relname::text, coalesce((regexp_match(b, 'FROM \(''([^'']+)''\)'))[1], '-infinity')::timestamptz AS s,
    coalesce((regexp_match(b, 'TO \(''([^'']+)''\)'))[1], 'infinity')::timestamptz
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) b
  WHERE i.inhparent = '"audit_entries"'::regclass ORDER BY s
$$;

-- Adds a partition for each month up to some months after that of a time. Returns their number; -1, and changes nothing, if it would have to
-- read more than some bytes of entries while others wait, because nobody has called it for longer than it plans ahead.
CREATE FUNCTION "add_audit_months"("now" timestamptz, "ahead" integer, "most" bigint) RETURNS integer LANGUAGE plpgsql
SET timezone = 'UTC' SET datestyle = 'ISO' SET lock_timeout = '300ms' AS $$
DECLARE
  "next" constant timestamptz := date_trunc('month', "now") + interval '1 month';
  "end" constant timestamptz := "next" + make_interval(months => "ahead");
  "month" timestamptz;
  "start" timestamptz := (SELECT p."since" FROM "audit_partitions"() p WHERE p."until" = 'infinity');
  "added" integer := 0;
BEGIN
  IF "start" >= "end" THEN RETURN 0; END IF;
  IF pg_relation_size('"audit_entries_later"') > "most" THEN RETURN -1; END IF;
  LOCK TABLE ONLY "audit_entries" IN ACCESS EXCLUSIVE MODE;
  -- Another worker may have been faster.
  "start" := (SELECT p."since" FROM "audit_partitions"() p WHERE p."until" = 'infinity');
  IF "start" >= "end" THEN RETURN 0; END IF;
  ALTER TABLE "audit_entries" DETACH PARTITION "audit_entries_later";
  ALTER TABLE "audit_entries_later" RENAME TO "audit_entries_split";
  "month" := greatest("start", "next");
  WHILE "month" < "end" LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF "audit_entries" FOR VALUES FROM (%L) TO (%L)',
      'audit_entries_' || to_char("month", 'YYYY_MM'), "month", "month" + interval '1 month');
    "month" := "month" + interval '1 month';
    "added" := "added" + 1;
  END LOOP;
  EXECUTE format('CREATE TABLE "audit_entries_later" PARTITION OF "audit_entries" FOR VALUES FROM (%L) TO (MAXVALUE)', "end");
  CREATE INDEX ON "audit_entries_later" ("at");
  -- Entries of clocks that are fast go to the month of their time.
  WITH "early" AS (DELETE FROM "audit_entries_split" e WHERE e."at" >= "next" RETURNING e.*)
  INSERT INTO "audit_entries" SELECT * FROM "early";
  IF "start" < "next" THEN
    -- Holds the months for which none was made ahead, up to the present one.
    EXECUTE format('ALTER TABLE "audit_entries_split" RENAME TO %I', 'audit_entries_' || to_char("start", 'YYYY_MM'));
    EXECUTE format('ALTER TABLE "audit_entries" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      'audit_entries_' || to_char("start", 'YYYY_MM'), "start", "next");
    "added" := "added" + 1;
  ELSE
    DROP TABLE "audit_entries_split";
  END IF;
  RETURN "added";
END $$;

-- Drops the months that ended before a time, and everything older. Returns their number.
CREATE FUNCTION "drop_audit_months"("expired" timestamptz) RETURNS integer LANGUAGE plpgsql
SET timezone = 'UTC' SET datestyle = 'ISO' SET lock_timeout = '300ms' AS $$
DECLARE
  "month" record;
  "bound" timestamptz;
  "dropped" integer := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "audit_partitions"() p WHERE p."since" > '-infinity' AND p."until" <= "expired") THEN RETURN 0; END IF;
  LOCK TABLE ONLY "audit_entries" IN ACCESS EXCLUSIVE MODE;
  FOR "month" IN SELECT * FROM "audit_partitions"() p WHERE p."until" <= "expired" LOOP
    EXECUTE format('DROP TABLE %I', "month"."name");
    "bound" := "month"."until";
    IF "month"."since" > '-infinity' THEN "dropped" := "dropped" + 1; END IF;
  END LOOP;
  IF "bound" IS NOT NULL THEN
    EXECUTE format('CREATE TABLE "audit_entries_before" PARTITION OF "audit_entries" FOR VALUES FROM (MINVALUE) TO (%L)', "bound");
    CREATE INDEX ON "audit_entries_before" ("at");
  END IF;
  RETURN "dropped";
END $$;

DO $$
DECLARE
  "bound" timestamptz;
BEGIN
  -- The first partition of a new database ends with the month before this one.
  IF EXISTS (SELECT 1 FROM "audit_entries_before") THEN
    SELECT (regexp_match(pg_get_constraintdef(k.oid), '''([^'']+)'''))[1]::timestamptz INTO "bound" FROM pg_constraint k
    WHERE k.conrelid = '"audit_entries_before"'::regclass AND k.conname = 'audit_entries_before_bound';
  ELSE
    "bound" := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  END IF;
  EXECUTE format('ALTER TABLE "audit_entries" ATTACH PARTITION "audit_entries_before" FOR VALUES FROM (MINVALUE) TO (%L)', "bound");
  EXECUTE format('CREATE TABLE "audit_entries_later" PARTITION OF "audit_entries" FOR VALUES FROM (%L) TO (MAXVALUE)', "bound");
  CREATE INDEX ON "audit_entries_later" ("at");
  PERFORM "add_audit_months"(now(), 6, 0);
END $$;
ALTER TABLE "audit_entries_before" DROP CONSTRAINT "audit_entries_before_bound";
