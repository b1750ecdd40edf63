-- CreateTable
CREATE TABLE "change_cursors" (
    "consumer" TEXT NOT NULL,
    "teamId" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "change_cursors_pkey" PRIMARY KEY ("consumer","teamId"),
    CONSTRAINT "change_cursors_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Webhooks have read every event that the release before this one dispatched. One statement, so that the clock and the
-- events are of one snapshot: a worker of that release may dispatch, and writers may commit, at the same time.
INSERT INTO "change_cursors" ("consumer", "teamId", "sequence")
SELECT 'webhooks', clock."teamId", COALESCE(waiting."first" - 1, clock."sequence")
FROM "team_clocks" clock
LEFT JOIN (
    SELECT "teamId", min("sequence") AS "first" FROM "events" WHERE "dispatchedAt" IS NULL GROUP BY "teamId"
) waiting ON waiting."teamId" = clock."teamId";
