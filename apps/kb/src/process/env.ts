/** Returns whether npm or pnpm runs this process as a script. Separate from the settings because it is needed before them. */
export const runByPackageManager = (): boolean => process.env.npm_lifecycle_event !== undefined;
