/** Returns whether the hint on the import is for this user: it is a command of those who run the service. */
export const mayImport = (capabilities: readonly string[]): boolean =>
  capabilities.includes("*") || capabilities.includes("settings.team_edit");
