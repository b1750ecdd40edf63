import type { CodeWords } from "../../messages/code/index.ts";
import type { Messages } from "../../messages/index.ts";
import { notify } from "../app/notices.ts";
import { copyText } from "../parts/copy-text.ts";

/** Copies a block of code, and says so. */
export async function copyCode(code: string, messages: Messages, { notCopied }: CodeWords): Promise<void> {
  const isCopied = await copyText(code);
  notify(isCopied ? { text: messages.copied } : { text: notCopied, isFailure: true });
}
