import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describeApi } from "../src/description.ts";
import { routes } from "../src/routes.ts";

// Writes openapi.json from the REST table. With --check, only compares, and fails if the file is outdated.
const file = fileURLToPath(new URL("../../../openapi.json", import.meta.url));
const wanted = `${JSON.stringify(describeApi(routes("http://localhost:3000")), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, wanted);
} else if (readFileSync(file, "utf8") !== wanted) {
  console.error("openapi.json is outdated: run `pnpm --filter @kb/api openapi` and commit it.");
  process.exit(1);
}
