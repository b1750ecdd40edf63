/** Returns a number of bytes for people, such as "536.9 MB". */
export const sizeInWords = (bytes: number): string =>
  bytes < 100_000
    ? `${bytes.toLocaleString("en")} bytes`
    : `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
