import type { ErrorCode, ErrorDetail, ServiceError } from "@kb/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { notAnId } from "./fields.ts";

/** The code of a tool error, for programs, and a sentence with the next step, for the assistant. */
type Advice = { readonly code: string; readonly advice: string };

const readAgain = "Read the document again with get_document, then repeat the change against its current revision.";
const correctParameter = "Correct the parameter and call again.";
const internal: Advice = { code: "INTERNAL_ERROR", advice: "Try again. If the error persists, tell the user." };
const unknownCollection: Advice = { code: "NOT_FOUND", advice: "Call again with one of these names, or with an id." };
const largeFile: Advice = {
  code: "TOO_LARGE",
  advice: "Call again without its bytes or url, then send the file to the uploadUrl.",
};
const quotaUsedUp: Advice = { code: "TOO_LARGE", advice: "Tell the user: another call fails in the same way." };
const unknownKey: Advice = { code: "INVALID_API_KEY", advice: "Ask the user for a valid API key." };

const notACollectionId: Advice = {
  code: "INVALID_PARAMETERS",
  advice: "Give its name as collection instead, or find the id with list_collections.",
};
const notADocumentId: Advice = {
  code: "INVALID_PARAMETERS",
  advice: "Find the id by the title with search, or with list_documents.",
};
const unknownRevision: Advice = { code: "NOT_FOUND", advice: "Find the revision with document_history." };
const foreignCursor: Advice = {
  code: "INVALID_PARAMETERS",
  advice: "Send the nextCursor of the last answer with the same parameters, or leave cursor out to start again.",
};

/** Maps the code of an error to a tool error. This is the only such table. */
const adviceByCode: Readonly<Record<ErrorCode, Advice>> = {
  not_found: {
    code: "NOT_FOUND",
    advice:
      "Find the id with search, list_documents or list_collections; list_documents with status trashed shows what was deleted.",
  },
  forbidden: { code: "FORBIDDEN", advice: "Check canWrite before writing. The user can ask an admin for access." },
  proof_required: { code: "FORBIDDEN", advice: "The user does this in the app." },
  insufficient_scope: {
    code: "READ_ONLY",
    advice: "Ask the user for an API key with the scopes `read` and `write`.",
  },
  not_in_trash: { code: "NOT_IN_TRASH", advice: "There is nothing to restore. Continue with the document as it is." },
  heading_not_found: { code: "HEADING_NOT_FOUND", advice: "Call again with one of these headings." },
  text_not_found: {
    code: "TEXT_NOT_FOUND",
    advice: "Give oldText exactly as get_document shows it.",
  },
  text_ambiguous: { code: "TEXT_NOT_FOUND", advice: "Give a longer oldText that occurs only once." },
  revision_conflict: { code: "REVISION_CONFLICT", advice: readAgain },
  inline_image_rejected: {
    code: "INLINE_IMAGE_REJECTED",
    advice: "Upload the image with upload_image and use the Markdown that it returns.",
  },
  validation_error: { code: "INVALID_PARAMETERS", advice: correctParameter },
  too_complex: { code: "TOO_COMPLEX", advice: "Make the change in smaller parts, or split the document." },
  payload_too_large: { code: "TOO_LARGE", advice: "Send less, or split it into several documents." },
  conflict: { code: "CONFLICT", advice: "Read the current state, then decide with the user." },
  idempotency_mismatch: { code: "CONFLICT", advice: readAgain },
  rate_limited: { code: "RATE_LIMITED", advice: "Wait a minute, then repeat the call." },
  mcp_disabled: { code: "MCP_DISABLED", advice: "An admin of the team can switch MCP on in the settings." },
  unavailable: { code: "UNAVAILABLE", advice: "Wait a moment, then repeat the call." },
  authentication_required: unknownKey,
  invalid_api_key: unknownKey,
  invalid_token: unknownKey,
  editing_now: {
    code: "EDITING_NOW",
    advice:
      "Use a targeted edit, which merges with their typing, or repeat the call with the expectedRevision of a fresh get_document.",
  },
  lineage_changed: { code: "INVALID_PARAMETERS", advice: "Open the document again." },
  schema_ahead: { code: "INVALID_PARAMETERS", advice: "Open the document again." },
  steps_refused: { code: "INVALID_PARAMETERS", advice: "Open the document again." },
  too_old: { code: "INVALID_PARAMETERS", advice: "Open the document again." },
  sync_window_expired: { code: "INVALID_PARAMETERS", advice: "Start again without the cursor." },
  unsupported_media_type: { code: "INVALID_PARAMETERS", advice: correctParameter },
  method_not_allowed: internal,
  internal_error: internal,
};

/** Parameters whose errors have a code of their own. */
const markdownParameters = new Set(["markdown", "text"]);

function adviceFor({ code, message, details, cause, retryAfterSeconds }: ServiceError): Advice {
  const [first] = details ?? [];
  if (code === "rate_limited" && retryAfterSeconds !== undefined) {
    return { code: "RATE_LIMITED", advice: `Wait ${retryAfterSeconds} seconds, then repeat the call.` };
  }
  if (code === "not_found" && first?.path === "collection") return unknownCollection;
  if (code === "not_found" && message.startsWith("Revision")) return unknownRevision;
  if (code === "payload_too_large" && first?.path === "file") return largeFile;
  if (code === "payload_too_large" && first?.path === "quota") return quotaUsedUp;
  return (code === "validation_error" ? adviceForInput(details, cause) : undefined) ?? adviceByCode[code];
}

/** Returns the advice for parameters that have one of their own. */
function adviceForInput(details: ServiceError["details"], cause: unknown): Advice | undefined {
  const [first] = details ?? [];
  if (first === undefined) return undefined;
  const { path, message, noChanges } = first;
  if (noChanges === true) return { code: "NO_CHANGES", advice: "Send the changes to make, or do not call the tool." };
  if (path === "title" && message.startsWith("At most")) {
    return { code: "TITLE_TOO_LONG", advice: "Choose a shorter title." };
  }
  // The cause is an error of the codec; without one, the value is not a text at all.
  if (cause !== undefined && markdownParameters.has(path)) {
    return { code: "INVALID_MARKDOWN", advice: "Correct the Markdown and call again." };
  }
  const parameters = parametersOf(first);
  if (parameters !== "") return { code: "INVALID_PARAMETERS", advice: `Call again with only ${parameters}.` };
  if (details?.length !== 1) return undefined;
  if (path === "cursor") return foreignCursor;
  if (message === notAnId) return path === "collectionId" ? notACollectionId : notADocumentId;
  return undefined;
}

/** Returns the parameters of the tool, where one was given that it does not have. */
function parametersOf({ parameters }: ErrorDetail): string {
  return Array.isArray(parameters) ? parameters.join(", ") : "";
}

/** The message names at most this many invalid parameters. */
const maxDetails = 10;

/** Describes the error in a sentence or two, with the facts that the assistant needs next. */
function sentenceOf(error: ServiceError): string {
  const { code, message, details = [] } = error;
  const [first] = details;
  // The detail states the fact alone; the advice says what to do in the words of the tools.
  if (code === "revision_conflict" && first !== undefined) return sentence(first.message);
  if (code === "heading_not_found") return `${message} ${headingsOf(first)}`;
  if (code === "text_not_found" || code === "text_ambiguous") return `${message}${passagesOf(first)}`;
  if (code === "validation_error" && details.length > 1) {
    return details
      .slice(0, maxDetails)
      .map((detail) => sentence(`${detail.path}: ${detail.message}`))
      .join(" ");
  }
  return sentence(message);
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function headingsOf(detail: ErrorDetail | undefined): string {
  const headings = Array.isArray(detail?.headings) ? detail.headings.map((heading) => `"${String(heading)}"`) : [];
  if (headings.length === 0) return "The document has no headings.";
  const count = Number(detail?.count ?? headings.length);
  const more = count > headings.length ? ` and ${count - headings.length} more` : "";
  return `The headings are ${headings.join(", ")}${more}.`;
}

function passagesOf(detail: ErrorDetail | undefined): string {
  const passages = Array.isArray(detail?.passages) ? detail.passages.map((passage) => `"${String(passage)}"`) : [];
  if (passages.length === 0) return "";
  return ` ${Number(detail?.count) > 0 ? "It occurs in" : "The nearest passages are"} ${passages.join(", ")}.`;
}

/** Returns `CODE: description. Next step.` */
export function errorText(error: ServiceError): string {
  const { code, advice } = adviceFor(error);
  return `${code}: ${sentenceOf(error)} ${advice}`;
}

/** Returns the result of a failed call. `_meta` has the code and the facts too. */
export function toolError(error: ServiceError): CallToolResult {
  const { code } = adviceFor(error);
  return {
    isError: true,
    content: [{ type: "text", text: errorText(error) }],
    _meta: { code, ...factsOf(error) },
  };
}

function factsOf({ details, retryAfterSeconds }: ServiceError): Record<string, unknown> {
  const detail: Partial<ErrorDetail> = details?.[0] ?? {};
  const { currentRevision, headings, count, passages } = detail;
  return Object.fromEntries(
    Object.entries({ currentRevision, headings, count, passages, retryAfterSeconds }).filter(
      ([, fact]) => fact !== undefined,
    ),
  );
}
