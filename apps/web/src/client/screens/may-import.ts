/** Returns whether this user may import files under Settings, which needs both capabilities: the page's and the operation's. */
export const mayImport = (capabilities: readonly string[]): boolean =>
  ["document.create", "export"].every((each) => capabilities.includes(each) || capabilities.includes("*"));
