/** Returns a name that keeps its own direction inside of a sentence (UAX #9: FIRST STRONG ISOLATE … POP). */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
