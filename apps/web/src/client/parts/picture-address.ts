/** Returns the address of a user's picture. The browser keeps what a version names. */
export const pictureAddress = (userId: string, version: string): string =>
  `/people/${userId}/picture?version=${encodeURIComponent(version)}`;

/** The path of the logo of the reader's team. */
export const logoPath = "/team/logo";

/** Returns the address of the logo of the reader's team. */
export const logoAddress = (version: string): string => `${logoPath}?version=${encodeURIComponent(version)}`;
