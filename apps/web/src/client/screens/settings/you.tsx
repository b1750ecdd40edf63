import type { ReactElement } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { SettingsScreen } from "./settings-screen.tsx";
import { EmailAddress } from "./you-email.tsx";
import { Look } from "./you-look.tsx";
import { Passkeys } from "./you-passkeys.tsx";
import { ChangePassword } from "./you-password.tsx";
import { Picture } from "./you-picture.tsx";
import { Profile } from "./you-profile.tsx";
import { SecondFactor } from "./you-second-factor.tsx";
import { Sessions } from "./you-sessions.tsx";

/** The settings of the reader: their profile and address, how the app looks here, their password, the second step of their log-in, their passkeys and their sessions. */
export function You(): ReactElement {
  return (
    <SettingsScreen title={settingsWords.you.title}>
      <Profile />
      <Picture />
      <EmailAddress />
      <Look />
      <ChangePassword />
      <SecondFactor />
      <Passkeys />
      <Sessions />
    </SettingsScreen>
  );
}
