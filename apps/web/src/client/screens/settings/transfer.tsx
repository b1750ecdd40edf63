import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { bootQuery } from "../../api/queries.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ExportPart } from "./export-part.tsx";
import { ImportPart } from "./import-part.tsx";
import { SettingsScreen } from "./settings-screen.tsx";

/** Import of files, and export of collections. */
export function Transfer(): ReactElement {
  const { transfer: words } = settingsWords;
  const { data } = useQuery(bootQuery);
  const collections = data.collections.filter(({ archivedAt }) => archivedAt === null);
  return (
    <SettingsScreen title={words.title}>
      <ImportPart />
      <ExportPart collections={collections} />
    </SettingsScreen>
  );
}
