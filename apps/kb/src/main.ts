import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { runByPackageManager } from "./process/env.ts";
import { stopSignal } from "./process/stop-signal.ts";

// Without the cache, commands spend most of their time compiling unchanged code.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
const { main } = await import("./cli.ts");

// The service must keep running if the reader of its output ends (`kb start | head`).
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const signal = stopSignal({ byPackageManager: runByPackageManager() });
const exitCode = await main(process.argv.slice(2), signal);

// An exit drops what a pipe has not taken yet: an answer of a megabyte would end in the middle.
for (const stream of signal.aborted ? [] : [process.stdout, process.stderr]) {
  await new Promise((written) => {
    stream.write("", written);
  });
}
process.exit(exitCode);
