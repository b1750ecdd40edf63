// Generates the Prisma client after an install, offline and without a word. Prisma would fetch an engine that the client
// does not need, and ask a server for news of itself: both are turned off.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const schema = fileURLToPath(new URL("../../../prisma/schema.prisma", import.meta.url));
const generated = fileURLToPath(new URL("generated", import.meta.url));
const stampFile = join(generated, ".stamp");

const manifest = createRequire(import.meta.url).resolve("prisma/package.json");
const stamp = createHash("sha256").update(readFileSync(schema)).update(readFileSync(manifest)).digest("hex");

// Rewriting the same files would pull them away from under whatever runs meanwhile.
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) generate();

function generate(): void {
  const result = spawnSync(
    process.execPath,
    [join(dirname(manifest), "build/index.js"), "generate", "--schema", schema],
    {
      encoding: "utf8",
      env: {
        ...process.env,
        CHECKPOINT_DISABLE: "1",
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      },
    },
  );
  if (result.status !== 0) {
    process.stderr.write(`the Prisma client could not be generated\n${result.stdout}${result.stderr}`);
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}
