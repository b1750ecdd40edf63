/** Statements that read no table. */
export const readsNoTable = (text: string): boolean =>
  /^\s*(BEGIN|COMMIT|ROLLBACK|SET |SAVEPOINT|RELEASE|SELECT pg_|SELECT 1$)/i.test(text);

/** Kinds of statements of operations that may need more than one shard, and why. */
export const statementsWithReason: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  {
    pattern: /FROM document_bodies b WHERE .*b\."teamId" IS NOT DISTINCT FROM \$\d+::uuid/,
    why: "a search compares the team in a form that no index of teams serves, because the index of words of all teams finds less; on a shard it names the team by an equation (core/search/matching-ids.ts)",
  },
];

/**
 * The unique indexes that hold for all teams together, and why. Citus cannot enforce them: a service on it keeps what they index in
 * a table that every node has (a reference table), which says the team.
 */
export const rulesWithReason: Readonly<Record<string, string>> = {
  email_changes_newHash_key: "the hash of a link's token names its team",
  email_changes_oldHash_key: "the hash of a link's token names its team",
  invitations_hash_key: "the hash of an invitation's link names its team",
  passkeys_credentialId_key: "the id of a passkey names its team at a log-in without a password",
  password_resets_hash_key: "the hash of a link's token names its team",
  users_email_key: "the e-mail address of an account names its team at a log-in",
};
