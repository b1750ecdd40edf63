/** Whether npm or pnpm runs this process as a script. Apart from the settings, so that it is known before they are loaded. */
export const runByPackageManager = (): boolean => process.env.npm_lifecycle_event !== undefined;
