/** The release of the service, as clients show it. */
export const version = "0.1.0";
