// Holds the migrations to what keeps a running service running; part of `pnpm check`.
import { lintMigrations } from "./migration-lint.ts";

const findings = await lintMigrations();
for (const { migration, line, rule, message } of findings) {
  console.error(`prisma/migrations/${migration}/migration.sql:${line} ${rule}: ${message}`);
}
console.log(findings.length === 0 ? "migrations: nothing to mend" : `migrations: ${findings.length} to mend`);
process.exitCode = findings.length === 0 ? 0 : 1;
