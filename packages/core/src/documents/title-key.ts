/** Returns the form in which titles are compared and sorted: case folded and normalized. */
export const titleKey = (title: string): string => title.normalize("NFC").toLowerCase();
