/** The release: what the health check and the API's description say. */
export const version = "0.1.0";
