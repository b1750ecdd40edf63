export { type HttpConnection, httpTransport } from "./testing/http-transport.ts";
export { readSteps } from "./testing/log-server.ts";
export { Pieces, piecesOf } from "./testing/pieces.ts";
export { type Random, randomOf } from "./testing/random.ts";
export { type RunOptions, type RunResult, runTypists } from "./testing/run.ts";
export { runSessions, type SessionRunOptions, type SessionRunResult } from "./testing/run-sessions.ts";
export { Typist } from "./testing/typist.ts";
