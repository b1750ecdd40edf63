import { ServiceError } from "@kb/core";
import type { SendFile } from "@kb/mcp-tools";
import { type Outgoing, OutgoingError } from "@kb/outgoing";

const timeoutMs = 60_000;
const maxAnswerBytes = 64 * 1024;
const waysOut =
  "Check APP_URL, set KB_DATA_DIR or S3_BUCKET, or leave out the bytes and send the file to the uploadUrl.";

/**
 * Returns a function that sends files to the upload URL of the service, which is below the configured APP_URL and may therefore be
 * in a private network.
 */
export function sendFileTo(appUrl: string, outgoing: Outgoing): SendFile {
  return async (url, headers, body) => {
    if (!url.startsWith(`${appUrl}/`)) throw new Error("an upload URL is not below APP_URL");
    const request = {
      method: "PUT",
      headers,
      body,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      onOversize: "truncate",
    } as const;
    const answer = await outgoing(url, request).catch((error: unknown) => {
      if (!(error instanceof OutgoingError)) throw error;
      throw new ServiceError(
        "unavailable",
        `The service at ${appUrl} does not take the file: ${error.message}. ${waysOut}`,
      );
    });
    if (answer.status >= 200 && answer.status < 300) return;
    throw new ServiceError(
      "validation_error",
      `The service refused the file: ${messageIn(answer.body, answer.status)} ${waysOut}`,
    );
  };
}

/** Returns the message of an error of the service, or the status of any other answer. */
function messageIn(body: Uint8Array, status: number): string {
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(body));
    const message = typeof answer === "object" && answer !== null ? Reflect.get(answer, "error") : undefined;
    if (typeof message === "string") return /[.!?]$/.test(message) ? message : `${message}.`;
  } catch {
    // Not an answer of the service: the status says all.
  }
  return `it answers with status ${status}.`;
}
