-- CreateTable
CREATE TABLE "search_vocabularies" (
    "teamId" UUID NOT NULL,
    "terms" INTEGER NOT NULL DEFAULT 0,
    "sweptTo" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "search_vocabularies_pkey" PRIMARY KEY ("teamId")
);

-- AddForeignKey
ALTER TABLE "search_vocabularies" ADD CONSTRAINT "search_vocabularies_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The previous release adds terms without counting them. Each sweep of the worker counts anew.
INSERT INTO "search_vocabularies" ("teamId", "terms")
SELECT s."teamId", count(*) FROM "search_terms" s JOIN "teams" t ON t.id = s."teamId" GROUP BY s."teamId";
