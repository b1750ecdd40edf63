/** The port of `/metrics` cannot be listened on; the message is for the person who set it. */
export class MetricsPortError extends Error {
  override readonly name = "MetricsPortError";

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`METRICS_HOST and METRICS_PORT: ${host}:${port} cannot be listened on (${cause.code}). Set others.`, {
      cause,
    });
  }
}
