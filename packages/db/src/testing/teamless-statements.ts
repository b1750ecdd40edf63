import { existsSync, readFileSync } from "node:fs";
import type { TeamlessStatement } from "./statement-log.ts";

/**
 * Where a statement on the tables of teams may name no team, and why. Everything else that the service sends during the
 * tests has to name one.
 */
const allowed: Readonly<Record<string, string>> = {
  "packages/auth/src/channel-reader.ts": "the hash of a channel token names its team",
  "packages/auth/src/sessions/authenticate.ts": "the hash of a log-in's token names its team",
  "packages/auth/src/oauth/access-token.ts": "the hash of an app's access token names its team",
  "packages/auth/src/oauth/codes.ts": "the hash of an authorization code names its team",
  "packages/auth/src/oauth/refresh.ts": "the hash of a refresh token names its team",
  "packages/auth/src/oauth/revoke.ts": "the hash of the token to revoke names its team",
  "packages/auth/src/passkeys/store.ts": "the id of a passkey names its team",
  "packages/auth/src/log-in/log-in.ts": "the e-mail address of an account names its team",
  "packages/auth/src/live-credentials.ts": "asks of all open connections at once whether their credentials still hold",
  "packages/core/src/admin/users.ts": "the command line knows an account by its e-mail address",
  "packages/core/src/admin/mails.ts": "shows the operator the mails of all teams",
  "packages/core/src/email-change/confirm.ts":
    "the hash of a link's token, and the e-mail address of an account, name their team",
  "packages/core/src/email-change/email-change.ts": "the e-mail address of an account names its team",
  "packages/core/src/invitations/accept.ts": "the hash of an invitation's link, or the invited address, names its team",
  "packages/core/src/log-in-links/log-in-by-link.ts": "the hash of a link's token names its team",
  "packages/core/src/password-reset/mail-reset-links.ts": "the e-mail address of an account names its team",
  "packages/core/src/password-reset/set-password-by-link.ts": "the hash of a link's token names its team",
  "packages/core/src/setup/set-up-team.ts": "the code of the first start names its team",
  "packages/core/src/mail/claim-mails.ts": "claims the mails that are due, of any team",
  "packages/core/src/mail/expire-tokens.ts": "removes the tokens of expired links, of any team",
  "packages/core/src/attachments/find-file.ts": "the unguessable address of a file names its team",
  "packages/core/src/attachments/receive.ts": "the token of an upload names its team",
  "packages/core/src/attachments/clean-up.ts": "a job for all teams",
  "packages/core/src/imports/receive.ts": "the token of an upload names its team",
  "packages/core/src/imports/work.ts": "claims the import that waits longest, whoever's it is",
  "packages/core/src/imports/clean-up.ts": "a job for all teams",
  "packages/core/src/live/due-checkpoints.ts": "finds the documents of all teams whose checkpoint is due",
  "packages/core/src/live/live-feed.ts": "reads the heads of the logs of all teams that have open streams",
  "packages/core/src/live/sweep-logs.ts": "a job for all teams",
  "packages/core/src/quotas/measure-documents.ts": "a job for all teams",
  "packages/core/src/quotas/usage.ts": "sums the usage of all teams for the operator",
  "packages/core/src/retention/sweep.ts": "a job for all teams",
  "packages/core/src/retention/trash.ts": "a job for all teams",
  "packages/core/src/search/index-again.ts": "a job for all teams",
  "packages/core/src/search/sweep-vocabulary.ts": "a job for all teams",
  "packages/core/src/webhooks/reseal.ts": "the secrets of all teams are sealed under one secret",
  "packages/core/src/mail/reseal.ts": "the secrets of all teams are sealed under one secret",
  "packages/core/src/second-factor/reseal.ts": "the secrets of all teams are sealed under one secret",
  "packages/core/src/changes/advance-cursors.ts": "finds the cursors that are behind, of all teams",
  "packages/core/src/changes/feed.ts": "reads the events of all teams that have open streams",
  "packages/core/src/changes/lag.ts": "measures how far consumers are behind, over all teams",
  "packages/core/src/webhooks/count-due-deliveries.ts": "counts the deliveries of all teams that are due",
  "packages/core/src/webhooks/find-pending-work.ts": "finds out whether any team has something to send",
  "packages/core/src/webhooks/claim.ts": "claims what is to be sent, whoever's it is",
};

/** The look-ups of an API key and of a log-in, whose hash names its team. They are sent together with the statement of any operation. */
const lookUps = [
  /FROM api_keys k JOIN users u .* WHERE k\.hash = \$\d+ AND/s,
  /FROM browser_sessions s JOIN users u .* WHERE s\.hash = \$\d+ AND/s,
];
const isLookUp = (text: string): boolean => lookUps.some((lookUp) => lookUp.test(text));

/** Tests may write and read the rows of all teams at once. */
const isTest = (source: string): boolean => /\.(test|case)\.ts$|(^|\/)(test|testing)\/|^packages\/bench\//.test(source);

/** Returns the recorded statements. */
export function readStatements(file: string): TeamlessStatement[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => asStatement(JSON.parse(line)));
}

/** The file was written by `statementLog`. */
function asStatement(value: object): TeamlessStatement {
  return value as TeamlessStatement;
}

/** @throws {Error} that lists the statements of the service that should have named a team */
export function requireTeams(statements: readonly TeamlessStatement[]): void {
  const found = statements.filter(
    ({ source, text }) => !isTest(source) && allowed[source] === undefined && !isLookUp(text),
  );
  if (found.length === 0) return;
  const shown = found.map(({ source, text }) => `${source}: ${text.replaceAll(/\s+/g, " ").slice(0, 300)}`);
  throw new Error(`statements on the tables of teams that name no team:\n${[...new Set(shown)].join("\n")}`);
}
