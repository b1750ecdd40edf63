-- CreateTable
CREATE TABLE "second_factors" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "lastStep" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("teamId","userId"),
    CONSTRAINT "second_factors_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("teamId","userId","hash"),
    CONSTRAINT "recovery_codes_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "second_factors"("teamId", "userId") ON DELETE CASCADE ON UPDATE CASCADE
);
