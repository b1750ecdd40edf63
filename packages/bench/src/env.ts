import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The folder that keeps data sets between runs. A million documents take about 12 GB. */
export const benchData = process.env.KB_BENCH_DATA ?? resolve(root, ".data/bench");

/** The browser of the benchmarks: the whole one, as readers have it. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
