import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildClient, keepPreviousAssets } from "./build.ts";
import { hashOfInputs } from "./inputs.ts";
import { isBuilt } from "./is-built.ts";
import { withLock } from "./lock.ts";
import { packageFolder } from "./paths.ts";

// Builds the app if its sources have changed; `--previous FOLDER` adds the assets of another release's `dist/client`.
const { values } = parseArgs({ options: { previous: { type: "string" } } });
const began = performance.now();
await withLock(join(packageFolder, "dist/building.pid"), async () => {
  // Another process may have built it meanwhile.
  const inputs = hashOfInputs();
  if (!isBuilt(inputs)) await buildClient(inputs);
  if (values.previous !== undefined) await keepPreviousAssets(values.previous);
});
process.stdout.write(`built in ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
