/** Returns whether the trash offers to delete documents for good. */
export const mayDestroy = (capabilities: readonly string[]): boolean =>
  capabilities.includes("*") || capabilities.includes("document.destroy");
