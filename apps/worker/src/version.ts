/** The release, as the health check and telemetry report it. */
export const version = "0.1.0";
