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
 * REST takes no token of an app; `tools.ts` says what it is to the tools.
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
an app that reads, one that writes ────────────│────────│────│───────│──│──────│──┐

me.get                                         AKKKKKKK +S++ +++++++ KK ++++++ ++ KK

documents.list                                 AKKKKKKK +S++ +++++++ KK ++++++ ++ KK
documents.search                               AKKKKKKK +S++ +++++++ KK ++++++ ++ KK
documents.get                                  AKKKKKKK +S++ N+++++N KK +++++N N+ KK
documents.create                               AKKKKKKK S+++ NF+NF++ KK +++F+N N+ KK
documents.update                               AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK
documents.edit                                 AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK
documents.delete                               AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ KK
documents.restore                              AKKKKKKK S+++ NN+N+NN KK ++NFFN N+ KK
documents.archive                              AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ KK
documents.unarchive                            AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ KK
documents.revisions.list                       AKKKKKKK +S++ N+++++N KK +++++N N+ KK
documents.revisions.get                        AKKKKKKK +S++ N+++++N KK +++++N N+ KK
documents.revisions.restore                    AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK

collections.list                               AKKKKKKK +S++ +++++++ KK ++++++ ++ KK
collections.get                                AKKKKKKK +S++ N++N+++ KK +++++N N+ KK
collections.export                             AKKKKKKK +S++ N++N+++ KK ++++FN N+ KK
collections.create                             AKKKKKKK S+++ FFFFFFF KK ++FFF+ ++ KK
collections.update                             AKKKKKKK S+++ NF+NF++ KK ++FF+N N+ KK
collections.archive                            AKKKKKKK S+++ NF+NF++ KK ++FF+N N+ KK
collections.unarchive                          AKKKKKKK S+++ NF+NF++ KK ++FF+N N+ KK

tags.list                                      AKKKKKKK +S++ +++++++ KK ++++++ ++ KK
tags.create                                    AKKKKKKK S+++ +++++++ KK +++FF+ ++ KK

webhooks.list                                  AKKKKKKK +S++ +++++++ KK ++++++ ++ KK
webhooks.manage                                AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
webhooks.create                                AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
webhooks.info                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
webhooks.update                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
webhooks.delete                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
webhooks.rotateSecret                          AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
webhooks.test                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
webhooks.deliveries                            AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
webhooks.redeliver                             AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF

attachments.upload                             AKKKKKKK S+++ +++++++ KK +++F++ ++ KK
attachments.attach                             AKKKKKKK S+++ +++++++ KK +++F++ ++ S+

auditLog.list                                  AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS KK

published.list                                 ATTTTTTT TTTT TTTTTTT +F AAAAAA TT TT
published.get                                  ATTTTTTT TTTT TTTTTTT +F AAAAAA TT TT

auth.me                                        AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF
auth.changePassword                            AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF
auth.sessions.list                             AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF
auth.sessions.revoke                           AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF

users.list                                     AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
users.invite                                   AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
users.update                                   AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
users.groups                                   AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
users.resetPassword                            AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
users.suspend                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
users.unsuspend                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF

groups.list                                    AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
groups.create                                  AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
groups.update                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
groups.delete                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF

team.info                                      AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF
team.update                                    AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF

collections.grants.list                        AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
collections.grants.candidates                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
collections.grants.set                         AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
collections.grants.remove                      AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
collections.setDefaultAccess                   AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
collections.delete                             AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF

apiKeys.list                                   AKKKKKKK FFFF FFFFFFF KK +++FF+ FF FF
apiKeys.info                                   AKKKKKKK FFFF FFFFFFF KK ++NFFN FF FF
apiKeys.create                                 AKKKKKKK FFFF FFFFFFF KK +++FF+ FF FF
apiKeys.update                                 AKKKKKKK FFFF FFFFFFF KK N+NFFN FF FF
apiKeys.revoke                                 AKKKKKKK FFFF FFFFFFF KK ++NFFN FF FF

oauth.authorize                                AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF
oauth.apps.list                                AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF
oauth.apps.revoke                              AKKKKKKK FFFF FFFFFFF KK ++NNNN FF FF

channels.list                                  AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
channels.create                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
channels.update                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
channels.delete                                AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
channelTokens.list                             AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
channelTokens.create                           AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
channelTokens.revoke                           AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF

tags.update                                    AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
tags.delete                                    AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
tags.listRestricted                            AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF
tags.restrict                                  AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
documents.restrictedTags.list                  AKKKKKKK FFFF FFFFFFF KK +++++N FF FF
documents.restrictedTags.set                   AKKKKKKK FFFF FFFFFFF KK +++FFN FF FF

documents.destroy                              AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF
trash.empty                                    AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF

audit.list                                     AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF

assistants.search                              AKKKKKKK +S++ +++++++ KK ++++++ ++ ++
assistants.collections                         AKKKKKKK +S++ +++++++ KK ++++++ ++ ++
assistants.documents                           AKKKKKKK +S++ +++++++ KK ++++++ ++ ++
assistants.document                            AKKKKKKK +S++ N+++++N KK +++++N N+ ++
assistants.update                              AKKKKKKK S+++ NF+F+FN KK +++FFN N+ S+
assistants.delete                              AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ S+
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
