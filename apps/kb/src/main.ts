import { main } from "./cli.ts";

// The reader of our output may leave first (`kb start | head`); that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const stopping = new AbortController();
let signals = 0;
const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
for (const [signal, number] of Object.entries(numbers)) {
  // The first signal stops in good order, the second at once.
  process.on(signal, () => {
    signals += 1;
    if (signals > 1) process.exit(128 + number);
    stopping.abort();
  });
}

process.exitCode = await main(process.argv.slice(2), stopping.signal);
process.exit();
