import { type SettingsPage, type SettingsSection, visiblePages } from "./pages.ts";

/** The pages of one section, in their order. */
export type SectionPages = { readonly section: SettingsSection; readonly names: readonly SettingsPage[] };

/** Returns the pages that somebody with these capabilities may see, by section. */
export function pageList(capabilities: readonly string[]): SectionPages[] {
  const pages = visiblePages(capabilities);
  const sections = [...new Set(pages.map(({ section }) => section))];
  return sections.map((section) => ({
    section,
    names: pages.filter((page) => page.section === section).map(({ name }) => name),
  }));
}
