import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The folder that keeps data sets between runs. A million documents take about 12 GB. */
export const benchData = process.env.KB_BENCH_DATA ?? resolve(root, ".data/bench");
