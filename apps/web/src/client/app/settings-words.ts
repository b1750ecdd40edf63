import { loadSettingsWords, type SettingsWords } from "../../messages/settings/index.ts";
import { boot } from "./boot.ts";

/** The words of the settings in the reader's language, from `prepareSettingsWords` on. */
export let settingsWords: SettingsWords;

/** Loads the words of the settings, before the first page of them is shown. */
export async function prepareSettingsWords(): Promise<void> {
  settingsWords ??= await loadSettingsWords(boot().locale);
}
