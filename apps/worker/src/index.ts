export { mailOf } from "./mail/mail-of.ts";
export { type RunningWorker, startWorker, type WorkerOptions } from "./start-worker.ts";
