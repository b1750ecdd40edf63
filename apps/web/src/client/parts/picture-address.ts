/** Returns the address of a user's picture. The browser keeps what a version names. */
export const pictureAddress = (userId: string, version: string): string =>
  `/people/${userId}/picture?version=${encodeURIComponent(version)}`;
