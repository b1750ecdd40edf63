/** How titles are compared: case folded, in one Unicode form. */
export const titleKey = (title: string): string => title.normalize("NFC").toLowerCase();
