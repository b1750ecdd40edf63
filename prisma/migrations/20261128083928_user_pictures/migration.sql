-- CreateTable
CREATE TABLE "user_pictures" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "contentType" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pictures_pkey" PRIMARY KEY ("teamId","userId")
);

-- AddForeignKey
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Pictures count as attachments of their users.
CREATE OR REPLACE FUNCTION "count_picture_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_storage_usage(p."teamId", p."userId", 0, 0, sum(p."size"))
    FROM "new_rows" p GROUP BY p."teamId", p."userId" ORDER BY p."teamId", p."userId";
  ELSE
    PERFORM add_storage_usage(p."teamId", p."userId", 0, 0, -sum(p."size"))
    FROM "old_rows" p GROUP BY p."teamId", p."userId" ORDER BY p."teamId", p."userId";
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "recount_picture_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_storage_usage(NEW."teamId", NEW."userId", 0, 0, NEW."size" - OLD."size");
  RETURN NULL;
END $$;

CREATE TRIGGER "pictures_measured_in" AFTER INSERT ON "user_pictures"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_picture_bytes"();
CREATE TRIGGER "pictures_measured_out" AFTER DELETE ON "user_pictures"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_picture_bytes"();
CREATE TRIGGER "pictures_measured_again" AFTER UPDATE OF "size" ON "user_pictures" FOR EACH ROW
  WHEN (OLD."size" IS DISTINCT FROM NEW."size") EXECUTE FUNCTION "recount_picture_bytes"();
