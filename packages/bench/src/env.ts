import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** Where the data sets of the load are kept between runs; a million documents take about 12 GB. */
export const benchData = process.env.KB_BENCH_DATA ?? resolve(root, ".data/bench");
