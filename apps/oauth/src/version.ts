/** The release: what the health check says. */
export const version = "0.1.0";
