export { mailOf } from "./mail/mail-of.ts";
export { openMailer } from "./mail/mailer.ts";
export { type RunningWorker, startWorker, type WorkerOptions } from "./start-worker.ts";
