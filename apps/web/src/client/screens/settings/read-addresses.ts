/** Reads the e-mail addresses of a text: one on each line, or apart by commas, semicolons or spaces; `Ada <ada@example.com>` counts too. */
export function readAddresses(text: string): string[] {
  const addresses = text.split(/[,;\n]/).flatMap((part) => {
    const named = /<([^<>]*)>\s*$/.exec(part)?.[1];
    return (named ?? part).split(/\s+/).filter((each) => each !== "");
  });
  return [...new Set(addresses)];
}
