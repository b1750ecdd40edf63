import { createLogger, type Logger } from "@kb/runtime";
import { MetricsPortError, openTelemetry, type Telemetry } from "@kb/telemetry";
import type { Settings } from "../env.ts";
import { CommandError } from "../failure.ts";
import { version } from "../version.ts";

/** The log and the telemetry of the service. */
export type Observability = { readonly logger: Logger; readonly telemetry: Telemetry };

/** Opens the log and the telemetry. @throws {CommandError} `port_unusable` */
export async function openObservability({ logLevel, telemetry: settings }: Settings): Promise<Observability> {
  // The log goes to standard error, because standard output is for the person who started the service.
  const level = logLevel ?? (process.stderr.isTTY ? "warn" : "info");
  const logger = createLogger({ app: "kb", level, fileDescriptor: 2 });
  const telemetry = await openTelemetry(settings, { service: "kb", version, logger }).catch((error: unknown) => {
    throw error instanceof MetricsPortError
      ? new CommandError("port_unusable", error.message, { cause: error })
      : error;
  });
  return { logger, telemetry };
}
