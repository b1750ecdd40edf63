/** The smallest picture, one red pixel, as base64 of a PNG. */
export const redPixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/** The smallest sound, as base64 of a WAV without samples. */
export const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/** One block of text. */
export const text = (words: string) => ({ type: "text" as const, text: words });

/** Returns a tool result that contains only text. */
export const said = (words: string) => ({ content: [text(words)] });
