import { approval } from "./en/approval.ts";
import { assistants } from "./en/assistants.ts";
import { audit } from "./en/audit.ts";
import { channels } from "./en/channels.ts";
import { email } from "./en/email.ts";
import { frame } from "./en/frame.ts";
import { groups } from "./en/groups.ts";
import { imports } from "./en/imports.ts";
import { invitations } from "./en/invitations.ts";
import { keys } from "./en/keys.ts";
import { passkeys } from "./en/passkeys.ts";
import { people } from "./en/people.ts";
import { logo, picture } from "./en/picture.ts";
import { proof } from "./en/proof.ts";
import { secondFactor } from "./en/second-factor.ts";
import { tags } from "./en/tags.ts";
import { team } from "./en/team.ts";
import { transfer } from "./en/transfer.ts";
import { webhooks } from "./en/webhooks.ts";
import { you } from "./en/you.ts";

/** The words of the settings in English, by page. Every other language has the same keys. */
export const en = {
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

/** The words of the settings in one language. A language that lacks a key does not compile. */
export type SettingsWords = typeof en;
