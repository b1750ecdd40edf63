import { createLogger, type Logger } from "@kb/http";
import { MetricsPortError, openTelemetry, type Telemetry } from "@kb/telemetry";
import type { Settings } from "../env.ts";
import { CommandError } from "../failure.ts";
import { version } from "../version.ts";

/** Where the service says what it does. */
export type Telling = { readonly logger: Logger; readonly telemetry: Telemetry };

/** Opens the log, and what else the settings ask for. @throws {CommandError} `port_unusable` */
export async function openTelling({ logLevel, telemetry: settings }: Settings): Promise<Telling> {
  // Standard output is for the person who started it; logs go beside it.
  const level = logLevel ?? (process.stderr.isTTY ? "warn" : "info");
  const logger = createLogger({ app: "kb", level, destination: process.stderr });
  const telemetry = await openTelemetry(settings, { service: "kb", version, logger }).catch((error: unknown) => {
    throw error instanceof MetricsPortError
      ? new CommandError("port_unusable", error.message, { cause: error })
      : error;
  });
  return { logger, telemetry };
}
