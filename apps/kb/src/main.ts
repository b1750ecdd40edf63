import { main } from "./cli.ts";
import { runByPackageManager } from "./env.ts";
import { stopSignal } from "./stop-signal.ts";

// The reader of our output may leave first (`kb start | head`); that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exit(await main(process.argv.slice(2), stopSignal({ byPackageManager: runByPackageManager() })));
