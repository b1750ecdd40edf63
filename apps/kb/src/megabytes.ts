/** Formats a number of bytes as megabytes. */
export const inMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
