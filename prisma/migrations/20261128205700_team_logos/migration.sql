-- CreateTable
CREATE TABLE "team_logos" (
    "teamId" UUID NOT NULL,
    "contentType" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_logos_pkey" PRIMARY KEY ("teamId")
);

-- AddForeignKey
ALTER TABLE "team_logos" ADD CONSTRAINT "team_logos_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;
