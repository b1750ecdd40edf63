import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { runByPackageManager } from "./process/env.ts";
import { stopSignal } from "./process/stop-signal.ts";

// A command would otherwise spend most of its time on compiling what has not changed since the last one.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
const { main } = await import("./cli.ts");

// The reader of our output may leave first (`kb start | head`); that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exit(await main(process.argv.slice(2), stopSignal({ byPackageManager: runByPackageManager() })));
