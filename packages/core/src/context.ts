import type { Actor, ChannelReader, ExpectedCaller, Sealer } from "@kb/auth";
import type { Database, Reader, Tx } from "@kb/db";
import type { Telemetry } from "@kb/telemetry";
import type { AppAuthorization } from "./apps/app-authorization.ts";
import type { FetchAddress } from "./attachments/fetch-file.ts";
import type { Files } from "./attachments/files.ts";
import type { AuditDraft } from "./audit/draft.ts";
import type { ChangeFeed } from "./changes/feed.ts";
import type { IdempotentCall } from "./idempotency.ts";
import type { LiveFeed } from "./live/live-feed.ts";
import type { MailService } from "./mail/mail-service.ts";
import type { Outbox } from "./outbox.ts";
import type { Quotas } from "./quotas/quotas.ts";

/** The dependencies of all operations. A process creates one at its start. */
export type Service = {
  readonly database: Database;
  readonly clock: { now(): Date };
  /** The public origin without a trailing slash; every `url` begins with it. */
  readonly appUrl: string;
  /** The store of attachments. Absent in a process that has none. */
  readonly files?: Files | undefined;
  /** Fetches from other sites. Absent in a process that fetches nothing. */
  readonly outgoing?: FetchAddress | undefined;
  /** Encrypts secrets that are read again: of webhooks and second factors. Absent where neither is needed, as on the command line. */
  readonly sealer?: Sealer | undefined;
  /** Writes mails to be sent. Absent without a mail server: links are then shown to the admin who hands them over. */
  readonly mail?: MailService | undefined;
  /** False where people log in by single sign-on only. Absent: they have passwords, too. */
  readonly passwordLogIn?: boolean | undefined;
  /** Issues the codes of apps. Absent where no app may connect. */
  readonly oauth?: AppAuthorization | undefined;
  /** Feeds open streams with changes. Absent in a process that serves no streams. */
  readonly changes?: ChangeFeed | undefined;
  /** Feeds open streams with what is written in documents. Absent in a process that serves no streams. */
  readonly live?: LiveFeed | undefined;
  /** The number of the schema of documents that are edited live. Absent: the one of this release; tests set that of another. */
  readonly schemaVersion?: number | undefined;
  /** Limits the stored data of teams and users. Absent where nothing is limited. */
  readonly quotas?: Quotas | undefined;
  /** Receives spans and measurements. Absent if they are not collected. */
  readonly telemetry?: Telemetry | undefined;
};

/** The facts about one call that its edge knows beside the input. */
export type CallMetadata = {
  /** The revisions of which the document must be at one. Absent for a call without this guard. */
  readonly expectedRevisions?: readonly number[] | undefined;
  /** Makes a retry return the stored answer instead of repeating the change. */
  readonly idempotency?: IdempotentCall | undefined;
  /** The client's network address, for the audit log. */
  readonly address?: string | undefined;
  /** The id of the request, for the audit log. */
  readonly requestId?: string | undefined;
  /**
   * The caller, where the credential was not looked up yet: that takes place together with the first statement. `invoke`
   * returns and refuses nothing before it has confirmed the caller.
   */
  readonly expected?: ExpectedCaller | undefined;
  /** Receives the rows of a page after the first ones. Absent for an edge that sends all rows at once. */
  readonly continuation?: Continuation | undefined;
};

/** The rows of a page that follow those of the result, in parts, read as they are taken, and a name for their state. */
export type Continuation = { rest?: AsyncIterable<readonly unknown[]>; state?: string };

/** The part of a context that all operations share. */
type CommonContext = Omit<Service, "database" | "clock"> & { readonly now: Date; readonly call: CallMetadata };

/** The context of an operation that reads. `reader` is outside of any transaction. */
export type ReaderContext = CommonContext & { readonly reader: Reader; readonly database: Database };

/** The context of an operation by which a user reads. */
export type ReadContext = ReaderContext & { readonly actor: Actor };

/** The context of an operation by which a reader of a channel reads. */
export type ChannelContext = ReaderContext & { readonly channel: ChannelReader };

/** The context of an operation that changes something: one transaction of one team. */
export type WriteContext = CommonContext & {
  readonly actor: Actor;
  readonly tx: Tx;
  /** Collects the events of the change. They are written with its audit entry when the operation ends. */
  readonly outbox: Outbox;
  /** The entry of the audit log. `operation` fills and writes it; an operation adds facts that only it knows. */
  readonly audit: AuditDraft;
};
