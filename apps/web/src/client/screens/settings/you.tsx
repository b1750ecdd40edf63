import type { ReactElement } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { SettingsScreen } from "./settings-screen.tsx";
import { Look } from "./you-look.tsx";
import { ChangePassword } from "./you-password.tsx";
import { Profile } from "./you-profile.tsx";
import { Sessions } from "./you-sessions.tsx";

/** What concerns the reader: their profile, how the app looks here, their password and their sessions. */
export function You(): ReactElement {
  return (
    <SettingsScreen title={settingsWords.you.title}>
      <Profile />
      <Look />
      <ChangePassword />
      <Sessions />
    </SettingsScreen>
  );
}
