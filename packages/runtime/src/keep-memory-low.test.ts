import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const module = JSON.stringify(new URL("keep-memory-low.ts", import.meta.url).href);

/** Uses 120 MB and makes garbage that outlives the young generation; prints the most megabytes of its heap. */
const program = `
  import { getHeapStatistics } from "node:v8";
  import { keepMemoryLow } from ${module};
  keepMemoryLow();
  const used = Array.from({ length: 120 }, () => new Array(131_072).fill(1.5));
  const lately = new Array(64);
  let most = 0;
  for (let n = 0; n < 12_000; n += 1) {
    lately[n % lately.length] = Array.from({ length: 4_000 }, (_, index) => ({ index, n }));
    // The heap of the start grows to a size of its own until it is collected for the first time.
    if (n > 3_000) most = Math.max(most, getHeapStatistics().total_heap_size);
    if (n % 200 === 0) await new Promise(setImmediate);
  }
  console.log(used.length > 0 ? most / 1024 ** 2 : 0);
  process.exit();`;

it("the heap of a busy process grows to about twice what is in use, instead of four times", {
  timeout: 60_000,
}, async () => {
  const flags = ["--max-semi-space-size=16", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { env: { PATH: process.env.PATH } });
  const megabytes = Number(stdout);
  expect(megabytes).toBeGreaterThan(120);
  expect(megabytes).toBeLessThan(450);
});
