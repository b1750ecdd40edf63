#!/usr/bin/env node
import { asServiceError, quotasOf, type Service } from "@kb/core";
import { connect } from "@kb/db";
import { guardedFetch } from "@kb/outgoing";
import { createLogger, describeError, EnvironmentError, requireSameDatabase } from "@kb/runtime";
import { openFiles } from "@kb/storage";
import { stdioEnvironment } from "./env.ts";
import { missingStore } from "./missing-store.ts";
import { sendFileTo } from "./send-file.ts";
import { serve } from "./serve.ts";

/** One assistant makes only a few calls at a time. */
const poolMax = 4;

/** Serves one client on standard input and output until it closes them. Standard output contains only messages. */
async function main(): Promise<void> {
  const env = stdioEnvironment();
  const { SVC_API_KEY: key, KB_DATA_DIR: dataDir, ATTACHMENT_MAX_BYTES: maxBytes } = env;
  const logger = createLogger({ app: "mcp-stdio", level: env.LOG_LEVEL, destination: process.stderr });
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = env;
  await requireSameDatabase(url, directUrl);
  const database = connect({ url, directUrl, applicationName: "kb-mcp-stdio", poolMax });
  const hasStore = dataDir !== undefined || env.S3_BUCKET !== undefined;
  const files = hasStore ? openFiles(env, dataDir ?? "") : { store: missingStore, maxBytes };
  const quotas = quotasOf(env);
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: env.APP_URL, files, quotas };
  const serving = await serve({
    service,
    key,
    outgoing: guardedFetch(),
    sendFile: hasStore ? undefined : sendFileTo(env.APP_URL, guardedFetch({ allowPrivateNetwork: true })),
    onDefect: (error, what) => logger.error({ what, cause: describeError(error) }, "a call failed"),
    onBadMessage: (error) => logger.warn({ cause: describeError(error) }, "a message could not be read"),
  });
  await clientDisconnects();
  await serving.close();
  await database.close();
}

/** Resolves when the client closes its end or a signal stops the process. */
function clientDisconnects(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
    process.stdin.once("end", resolve).once("close", resolve);
    process.stdout.once("error", () => resolve());
  });
}

function explain(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  const { code, message } = asServiceError(error);
  return code === "unavailable" ? `${message} \`kb info\` shows its address.` : message;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`kb-mcp-stdio: ${explain(error)}\n`);
    process.exit(1);
  },
);
