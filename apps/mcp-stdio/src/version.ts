/** The release of the package, as clients show it. */
export const version = "0.1.0";
