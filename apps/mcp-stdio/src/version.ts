/** The release of the package, which clients show. */
export const version = "0.1.0";
