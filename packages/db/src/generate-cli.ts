// Generates the Prisma client after an install, offline and silently, and beside it the data model without the client, which
// takes much longer to load. Prevents Prisma from downloading an engine that the client does not need, and from checking for
// updates.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { z } from "zod";

const schema = fileURLToPath(new URL("../../../prisma/schema.prisma", import.meta.url));
const generated = fileURLToPath(new URL("generated", import.meta.url));
const stampFile = join(generated, ".stamp");

const DataModel = z.object({
  models: z.record(
    z.string(),
    z.object({
      dbName: z.string().nullable(),
      fields: z.array(z.object({ name: z.string(), kind: z.string() })),
    }),
  ),
});

const manifest = createRequire(import.meta.url).resolve("prisma/package.json");
const sources = [schema, manifest, fileURLToPath(import.meta.url)];
const stamp = createHash("sha256")
  .update(Buffer.concat(sources.map((file) => readFileSync(file))))
  .digest("hex");

// Rewriting identical files would disturb processes that load them.
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
  generate();
  await writeDataModel();
  writeFileSync(stampFile, stamp);
}

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
    process.stderr.write(`cannot generate the Prisma client\n${result.stdout}${result.stderr}`);
    process.exit(1);
  }
}

async function writeDataModel(): Promise<void> {
  const { PrismaClient } = z
    .object({ PrismaClient: z.custom<new (options: object) => object>() })
    .parse(await import(pathToFileURL(join(generated, "client.ts")).href));
  // The address is never connected to.
  const adapter = new PrismaPg({ connectionString: "postgresql://localhost" });
  // Prisma's runtime data model is not in its public types. Parsing it makes a change of its form fail at once.
  const { models } = DataModel.parse(Reflect.get(new PrismaClient({ adapter }), "_runtimeDataModel"));
  const type = "Readonly<Record<string, { dbName: string | null; fields: readonly { name: string; kind: string }[] }>>";
  writeFileSync(
    join(generated, "data-model.ts"),
    `// Generated from prisma/schema.prisma.\nexport const dataModel: ${type} = ${JSON.stringify(models)};\n`,
  );
}
