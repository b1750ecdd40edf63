/** One place of a problem. A conflict of revisions names the current one, and how the texts differ. */
export type ErrorDetail = {
  readonly path: string;
  readonly message: string;
  readonly currentRevision?: number;
  readonly diff?: string;
  /** Why a file of another site could not be fetched. */
  readonly reason?: string;
};

/** The error body of every answer of the service (interface.md, errors). */
export type ErrorBody = {
  readonly error: string;
  readonly code: string;
  readonly details?: readonly ErrorDetail[];
};

/** A call that the service refused, or that did not reach it. */
export class Failure extends Error {
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  readonly code: string;
  readonly details: NonNullable<ErrorBody["details"]>;
  readonly requestId: string | undefined;
  /** The time after which the service answers again, where it said so: at most 5 minutes. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: ErrorBody, { requestId, retryAfterSeconds }: FailureFacts = {}) {
    super(body.error);
    this.name = "Failure";
    this.status = status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type FailureFacts = { readonly requestId?: string | undefined; readonly retryAfterSeconds?: number | undefined };

/** The longest wait that the app takes over from an answer, in seconds: after it the app asks again, whatever was said. */
const longestWaitSeconds = 300;

/** Returns the wait that an answer names, as a number of seconds or as a date; undefined without one. */
function waitOf(answer: Response): number | undefined {
  const named = answer.headers.get("Retry-After");
  if (named === null || named.trim() === "") return undefined;
  const seconds = /^\d+$/.test(named.trim()) ? Number(named) : (Date.parse(named) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(longestWaitSeconds, Math.max(0, Math.ceil(seconds))) : undefined;
}

/** Reads the failure of an answer. A proxy's answer without the service's body keeps its status. */
export async function failureOf(answer: Response): Promise<Failure> {
  const facts = {
    requestId: answer.headers.get("X-Request-Id") ?? undefined,
    retryAfterSeconds: waitOf(answer),
  };
  const body: unknown = await answer.json().catch(() => undefined);
  return new Failure(
    answer.status,
    isErrorBody(body) ? body : { error: answer.statusText, code: "unavailable" },
    facts,
  );
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === "object" && value !== null && "error" in value && "code" in value;
}
