/** What a page of the settings is told: `new`, the id of one thing, or undefined for the whole. */
export type SettingsPageProps = { readonly item: string | undefined };
