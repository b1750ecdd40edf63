export { type RunOptions, type RunResult, runTypists } from "./testing/run.ts";
