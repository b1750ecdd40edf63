import { type Column, columns, groupSizes } from "./columns.ts";

/** What a call ends in: done, or the code of its refusal. */
export type Outcome =
  | "allowed"
  | "authentication_required"
  | "invalid_api_key"
  | "invalid_token"
  | "insufficient_scope"
  | "forbidden"
  | "not_found";

const letters: Readonly<Record<string, Outcome>> = {
  "+": "allowed",
  A: "authentication_required",
  K: "invalid_api_key",
  T: "invalid_token",
  S: "insufficient_scope",
  F: "forbidden",
  N: "not_found",
};

/**
 * The access matrix: a row for each operation, a letter for each kind of credential (see `columns.ts` for who they are).
 * The subject was published by an admin in a collection where the team may write; `cases.ts` says what is asked of it.
 */
const table = `
none, garbage, wrong prefix, bad checksum,
unknown, expired, revoked, suspended ──────────┐
a key that reads, writes, both, an admin's ────│────────┐
restricted: none, read, write, document up to  │        │
read, to write, down to read, to none ─────────│────────│────┐
the channel's token, another channel's ────────│────────│────│───────┐
sessions: admin, editor, member, viewer,       │        │    │       │
of the team's own group, of another team ──────│────────│────│───────│──┐
another team's admin key, MCP off ─────────────│────────│────│───────│──│──────┐

me.get                                         AKKKKKKK +S++ +++++++ KK ++++++ ++

documents.list                                 AKKKKKKK +S++ +++++++ KK ++++++ ++
documents.search                               AKKKKKKK +S++ +++++++ KK ++++++ ++
documents.get                                  AKKKKKKK +S++ N+++++N KK +++++N N+
documents.create                               AKKKKKKK S+++ NF+NF++ KK +++F+N N+
documents.update                               AKKKKKKK S+++ NF+F+FN KK +++FFN N+
documents.edit                                 AKKKKKKK S+++ NF+F+FN KK +++FFN N+
documents.delete                               AKKKKKKK S+++ NF+F+FN KK ++FFFN N+
documents.restore                              AKKKKKKK S+++ NN+N+NN KK ++NFFN N+
documents.archive                              AKKKKKKK S+++ NF+F+FN KK ++FFFN N+
documents.unarchive                            AKKKKKKK S+++ NF+F+FN KK ++FFFN N+
documents.revisions.list                       AKKKKKKK +S++ N+++++N KK +++++N N+
documents.revisions.get                        AKKKKKKK +S++ N+++++N KK +++++N N+
documents.revisions.restore                    AKKKKKKK S+++ NF+F+FN KK +++FFN N+

collections.list                               AKKKKKKK +S++ +++++++ KK ++++++ ++
collections.get                                AKKKKKKK +S++ N++N+++ KK +++++N N+
collections.export                             AKKKKKKK +S++ N++N+++ KK ++++FN N+
collections.create                             AKKKKKKK S+++ FFFFFFF KK ++FFF+ ++
collections.update                             AKKKKKKK S+++ NF+NF++ KK ++FF+N N+
collections.archive                            AKKKKKKK S+++ NF+NF++ KK ++FF+N N+
collections.unarchive                          AKKKKKKK S+++ NF+NF++ KK ++FF+N N+

tags.list                                      AKKKKKKK +S++ +++++++ KK ++++++ ++
tags.create                                    AKKKKKKK S+++ +++++++ KK +++FF+ ++

webhooks.list                                  AKKKKKKK +S++ +++++++ KK ++++++ ++
webhooks.manage                                AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
webhooks.create                                AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
webhooks.info                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
webhooks.update                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
webhooks.delete                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
webhooks.rotateSecret                          AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
webhooks.test                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
webhooks.deliveries                            AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
webhooks.redeliver                             AKKKKKKK FFFF FFFFFFF KK +FFFFN FF

attachments.upload                             AKKKKKKK S+++ +++++++ KK +++F++ ++
attachments.attach                             AKKKKKKK S+++ +++++++ KK +++F++ ++

auditLog.list                                  AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS

published.list                                 ATTTTTTT TTTT TTTTTTT +F AAAAAA TT
published.get                                  ATTTTTTT TTTT TTTTTTT +F AAAAAA TT

auth.me                                        AKKKKKKK FFFF FFFFFFF KK ++++++ FF
auth.changePassword                            AKKKKKKK FFFF FFFFFFF KK ++++++ FF
auth.sessions.list                             AKKKKKKK FFFF FFFFFFF KK ++++++ FF
auth.sessions.revoke                           AKKKKKKK FFFF FFFFFFF KK +NNNNN FF

users.list                                     AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
users.invite                                   AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
users.update                                   AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
users.groups                                   AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
users.resetPassword                            AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
users.suspend                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
users.unsuspend                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF

groups.list                                    AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
groups.create                                  AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
groups.update                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
groups.delete                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF

team.info                                      AKKKKKKK FFFF FFFFFFF KK ++++++ FF
team.update                                    AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF

collections.grants.list                        AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
collections.grants.candidates                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
collections.grants.set                         AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
collections.grants.remove                      AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
collections.setDefaultAccess                   AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
collections.delete                             AKKKKKKK FFFF FFFFFFF KK +FFFFN FF

apiKeys.list                                   AKKKKKKK FFFF FFFFFFF KK +++FF+ FF
apiKeys.info                                   AKKKKKKK FFFF FFFFFFF KK ++NFFN FF
apiKeys.create                                 AKKKKKKK FFFF FFFFFFF KK +++FF+ FF
apiKeys.update                                 AKKKKKKK FFFF FFFFFFF KK N+NFFN FF
apiKeys.revoke                                 AKKKKKKK FFFF FFFFFFF KK ++NFFN FF

oauth.authorize                                AKKKKKKK FFFF FFFFFFF KK ++++++ FF
oauth.apps.list                                AKKKKKKK FFFF FFFFFFF KK ++++++ FF
oauth.apps.revoke                              AKKKKKKK FFFF FFFFFFF KK ++NNNN FF

channels.list                                  AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
channels.create                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
channels.update                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
channels.delete                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
channelTokens.list                             AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
channelTokens.create                           AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
channelTokens.revoke                           AKKKKKKK FFFF FFFFFFF KK +FFFFN FF

tags.update                                    AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
tags.delete                                    AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
tags.listRestricted                            AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF
tags.restrict                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
documents.restrictedTags.list                  AKKKKKKK FFFF FFFFFFF KK +++++N FF
documents.restrictedTags.set                   AKKKKKKK FFFF FFFFFFF KK +++FFN FF

documents.destroy                              AKKKKKKK FFFF FFFFFFF KK +FFFFN FF
trash.empty                                    AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF

audit.list                                     AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF

assistants.search                              AKKKKKKK +S++ +++++++ KK ++++++ ++
assistants.collections                         AKKKKKKK +S++ +++++++ KK ++++++ ++
assistants.documents                           AKKKKKKK +S++ +++++++ KK ++++++ ++
assistants.document                            AKKKKKKK +S++ N+++++N KK +++++N N+
assistants.update                              AKKKKKKK S+++ NF+F+FN KK +++FFN N+
assistants.delete                              AKKKKKKK S+++ NF+F+FN KK ++FFFN N+
`;

/** The expected outcome of each operation for each kind of credential. */
export const cells: ReadonlyMap<string, Readonly<Record<Column, Outcome>>> = new Map(
  table.split("\n").flatMap((line) => {
    const [, name, row] = /^([a-z]\w*(?:\.\w+)+) +([A-Z+ ]+)$/i.exec(line) ?? [];
    return name === undefined || row === undefined ? [] : [[name, cellsOf(name, row)] as const];
  }),
);

function cellsOf(name: string, row: string): Readonly<Record<Column, Outcome>> {
  const sizes = row.split(" ").map((group) => group.length);
  if (sizes.join() !== groupSizes.join()) throw new Error(`${name}: groups of ${sizes}, not of ${groupSizes}`);
  const outcomes = [...row.replaceAll(" ", "")].map((letter) => {
    const outcome = letters[letter];
    if (outcome === undefined) throw new Error(`${name}: no outcome is called ${letter}`);
    return outcome;
  });
  return asCells(Object.fromEntries(columns.map((column, place) => [column, outcomes[place]])));
}

/** The sizes of the groups were compared: there is a letter for every column. */
function asCells(entries: object): Readonly<Record<Column, Outcome>> {
  return entries as Readonly<Record<Column, Outcome>>;
}
