// Checks that migrations do not interrupt a running service; part of `pnpm check`.
import { lintMigrations } from "./migration-lint.ts";

const findings = await lintMigrations();
for (const { migration, line, rule, message } of findings) {
  console.error(`prisma/migrations/${migration}/migration.sql:${line} ${rule}: ${message}`);
}
console.log(findings.length === 0 ? "migrations: no findings" : `migrations: ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
