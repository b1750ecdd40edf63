import { type DestinationStream, type Logger, levels, pino } from "pino";

export type { Logger } from "pino";

/** Lines are written together up to this size, and after this time at the latest. */
const bufferBytes = 8_192;
const flushEveryMs = 100;

/** Options of a logger. Lines go to standard output unless a file descriptor or a destination is given. */
type LoggerOptions = {
  readonly app: string;
  readonly level: string;
  readonly fileDescriptor?: number;
  readonly destination?: DestinationStream;
};

/**
 * Creates a logger that writes one JSON object per line. Lines for a file descriptor are buffered for a moment, because each
 * write is a system call; a line of an error, and the end of the process, writes them at once.
 */
export function createLogger({ app, level, fileDescriptor = 1, destination }: LoggerOptions): Logger {
  const settings = { level, base: { app }, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" };
  if (destination !== undefined) return pino(settings, destination);
  const buffer = bufferOf(fileDescriptor);
  return pino(
    {
      ...settings,
      hooks: {
        logMethod(line, write, severity) {
          write.apply(this, line);
          if (severity >= errorLevel) buffer.flush();
        },
      },
    },
    buffer,
  );
}

/** The number of the level `error`. */
const errorLevel = levels.values.error ?? 50;

type LogBuffer = ReturnType<typeof pino.destination>;

const buffers = new Map<number, LogBuffer>();

/** Returns the one buffer of the process for a file descriptor, so that its lines keep their order. */
function bufferOf(fd: number): LogBuffer {
  const known = buffers.get(fd);
  if (known !== undefined) return known;
  const buffer = pino.destination({ fd, sync: true, minLength: bufferBytes, periodicFlush: flushEveryMs });
  let isBroken = false;
  // A reader that ends (`kb start | head`) must not end the service.
  buffer.on("error", () => {
    isBroken = true;
  });
  process.on("exit", () => {
    if (!isBroken) buffer.flushSync();
  });
  buffers.set(fd, buffer);
  return buffer;
}
