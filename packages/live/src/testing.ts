export { type RunOptions, type RunResult, runTypists } from "./testing/run.ts";
export { runSessions, type SessionRunOptions, type SessionRunResult } from "./testing/run-sessions.ts";
