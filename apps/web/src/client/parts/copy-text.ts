/**
 * Copies a text to the clipboard. Browsers have `navigator.clipboard` over HTTPS only; over plain HTTP the browser's own
 * command copies, which works during a click or a key. Returns false if the browser refuses both.
 */
export async function copyText(text: string): Promise<boolean> {
  // Undefined over plain HTTP, whatever its type says.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return copyByCommand(text);
  return clipboard.writeText(text).then(
    () => true,
    () => copyByCommand(text),
  );
}

/** Copies by the command of the browser, whose event takes any text: neither the focus nor the selection moves. */
function copyByCommand(text: string): boolean {
  let isCopied = false;
  const put = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
    isCopied = event.clipboardData !== null;
  };
  addEventListener("copy", put, { capture: true });
  document.execCommand("copy");
  removeEventListener("copy", put, { capture: true });
  return isCopied;
}
