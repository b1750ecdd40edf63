/** The release that the health check reports. */
export const version = "0.1.0";
