/** Returns what stands for a document or a collection beside its name: an emoji. A collection's icon may also be a name, which is not shown. */
export const shownSymbol = (symbol: string | null): string | null =>
  symbol === null || /^[a-z0-9-]+$/.test(symbol) ? null : symbol;
