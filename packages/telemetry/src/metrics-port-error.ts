/** The port of `/metrics` is not available; the message is for the operator. */
export class MetricsPortError extends Error {
  override readonly name = "MetricsPortError";

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`METRICS_HOST and METRICS_PORT: cannot listen on ${host}:${port} (${cause.code}). Choose another port.`, {
      cause,
    });
  }
}
