import type { ErrorCode, ErrorDetail, ServiceError } from "@kb/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** What an assistant is told: a code for programs, and a sentence that says what to do next. */
type Advice = { readonly code: string; readonly advice: string };

const again = "Read the document again with get_document, then repeat the change against its current revision.";
const mend = "Correct the parameter and call again.";
const internal: Advice = { code: "INTERNAL_ERROR", advice: "Try again; if it stays, tell the user." };
const unknownKey: Advice = { code: "INVALID_API_KEY", advice: "Ask the user for a valid API key." };

/** The one table from an error's code to a tool error. */
const table: Readonly<Record<ErrorCode, Advice>> = {
  not_found: { code: "NOT_FOUND", advice: "Find the id with search, list_documents or list_collections." },
  forbidden: { code: "FORBIDDEN", advice: "Look at canWrite before writing; the user can ask an admin for access." },
  insufficient_scope: {
    code: "READ_ONLY",
    advice: "Ask the user for an API key with the scopes `read` and `write`.",
  },
  not_in_trash: { code: "NOT_IN_TRASH", advice: "There is nothing to restore: go on with the document as it is." },
  heading_not_found: { code: "HEADING_NOT_FOUND", advice: "Call again with one of the headings." },
  text_not_found: {
    code: "TEXT_NOT_FOUND",
    advice: "Give oldText as a reader sees it, without Markdown marks, from within one paragraph.",
  },
  text_ambiguous: { code: "TEXT_NOT_FOUND", advice: "Give a longer oldText, so that it occurs once." },
  revision_conflict: { code: "REVISION_CONFLICT", advice: again },
  inline_image_rejected: {
    code: "INLINE_IMAGE_REJECTED",
    advice: "Upload the image with upload_image and use the Markdown that it returns.",
  },
  validation_error: { code: "INVALID_PARAMETERS", advice: mend },
  payload_too_large: { code: "TOO_LARGE", advice: "Send less: split it over several documents." },
  conflict: { code: "CONFLICT", advice: "Read the current state, then decide with the user." },
  idempotency_mismatch: { code: "CONFLICT", advice: again },
  rate_limited: { code: "RATE_LIMITED", advice: "Wait, then repeat the call." },
  mcp_disabled: { code: "MCP_DISABLED", advice: "An admin of the team can switch MCP on in the settings." },
  unavailable: { code: "UNAVAILABLE", advice: "Wait a moment, then repeat the call." },
  authentication_required: unknownKey,
  invalid_api_key: unknownKey,
  invalid_token: unknownKey,
  sync_window_expired: { code: "INVALID_PARAMETERS", advice: "Start again without the cursor." },
  unsupported_media_type: { code: "INVALID_PARAMETERS", advice: mend },
  method_not_allowed: internal,
  internal_error: internal,
};

/** Parameters whose trouble has a code of its own. */
const markdownParameters = new Set(["markdown", "text"]);

function adviceFor({ code, details, cause }: ServiceError): Advice {
  const [first] = details ?? [];
  if (code === "validation_error" && first !== undefined) {
    if (first.noChanges === true) return { code: "NO_CHANGES", advice: "Say what is to change, or make no call." };
    if (first.path === "title" && first.message.startsWith("At most")) {
      return { code: "TITLE_TOO_LONG", advice: "Choose a shorter title." };
    }
    // What the codec cannot read, rather than what is no Markdown at all.
    if (cause !== undefined && markdownParameters.has(first.path)) {
      return { code: "INVALID_MARKDOWN", advice: "Correct the Markdown and call again." };
    }
  }
  return table[code];
}

/** So many mistakes of one input are told. */
const toldDetails = 10;

/** What happened, in a sentence or two, with the facts that the assistant goes on with. */
function sentenceOf(error: ServiceError): string {
  const { code, message, details = [], retryAfterSeconds } = error;
  const [first] = details;
  if (code === "heading_not_found") return `${message} ${headingsOf(first)}`;
  if (code === "validation_error" && details.length > 1) {
    return details
      .slice(0, toldDetails)
      .map((detail) => sentence(`${detail.path}: ${detail.message}`))
      .join(" ");
  }
  if (code === "rate_limited" && retryAfterSeconds !== undefined) {
    return `${sentence(message)} Try again in ${retryAfterSeconds} seconds.`;
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

/** `CODE: what happened. What to do.` */
export function errorText(error: ServiceError): string {
  const { code, advice } = adviceFor(error);
  return `${code}: ${sentenceOf(error)} ${advice}`;
}

/** A failed call as MCP tells it, with the code and its facts in `_meta` too. */
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
  const { currentRevision, headings, count } = detail;
  return Object.fromEntries(
    Object.entries({ currentRevision, headings, count, retryAfterSeconds }).filter(([, fact]) => fact !== undefined),
  );
}
