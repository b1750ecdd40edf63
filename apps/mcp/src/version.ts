/** The release of the service, as reported to clients. */
export const version = "0.1.0";
