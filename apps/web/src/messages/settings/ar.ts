import { approval } from "./ar/approval.ts";
import { assistants } from "./ar/assistants.ts";
import { audit } from "./ar/audit.ts";
import { channels } from "./ar/channels.ts";
import { email } from "./ar/email.ts";
import { frame } from "./ar/frame.ts";
import { groups } from "./ar/groups.ts";
import { imports } from "./ar/imports.ts";
import { invitations } from "./ar/invitations.ts";
import { keys } from "./ar/keys.ts";
import { passkeys } from "./ar/passkeys.ts";
import { people } from "./ar/people.ts";
import { logo, picture } from "./ar/picture.ts";
import { proof } from "./ar/proof.ts";
import { secondFactor } from "./ar/second-factor.ts";
import { tags } from "./ar/tags.ts";
import { team } from "./ar/team.ts";
import { transfer } from "./ar/transfer.ts";
import { webhooks } from "./ar/webhooks.ts";
import { you } from "./ar/you.ts";
import type { SettingsWords } from "./en.ts";

/** The words of the settings in Arabic. */
export const ar: SettingsWords = {
  frame,
  you,
  picture,
  email,
  secondFactor,
  passkeys,
  proof,
  keys,
  assistants,
  approval,
  webhooks,
  channels,
  people,
  invitations,
  groups,
  tags,
  audit,
  imports,
  transfer,
  team,
  logo,
};
