export { findSameAttachment } from "../attachments/find-same-attachment.ts";
export { createLogInLink } from "../log-in-links/create-log-in-link.ts";
export { readTeamUsages, type TeamUsage } from "../quotas/usage.ts";
export { issueSetupCode } from "../setup/issue-setup-code.ts";
export { systemActor } from "./actor.ts";
export { type CreatedChannel, createChannel, type NewChannel } from "./channels.ts";
export { countTeams, findCollection, findCollectionOrNull, findTeam, type TeamSummary } from "./find.ts";
export { type CreatedApiKey, createApiKey, type NewApiKey, revokeApiKey } from "./keys.ts";
export { listApiKeys, listGroups, listUsers } from "./lists.ts";
export {
  countMails,
  listMails,
  type MailSummary,
  mailStates,
  queueTestMail,
  retryMails,
} from "./mails.ts";
export { resealSecrets } from "./reseal.ts";
export {
  type CreatedTeam,
  createFirstTeam,
  createTeam,
  type NewTeam,
  setMcp,
} from "./teams.ts";
export {
  createPasswordLink,
  createUser,
  findUser,
  findUserOrNull,
  type InvitationSummary,
  inviteUsers,
  type NewInvitations,
  type NewUser,
  resetSecondFactor,
  setPassword,
  suspendUser,
  type UserSummary,
  unsuspendUser,
} from "./users.ts";
