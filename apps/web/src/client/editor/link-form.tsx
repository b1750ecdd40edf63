import { isSafeUrl } from "markdown-codec/html";
import type { EditorView } from "prosemirror-view";
import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../app/words.tsx";
import { linkOf, setLink } from "./commands.ts";
import styles from "./editor.module.css";

/** A field for the address of the selected text; without an address, its link is removed. */
export function LinkForm({ view, onClose }: { readonly view: EditorView; readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  const [address, setAddress] = useState(() => linkOf(view.state));
  const [isRefused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const problemId = useId();
  useEffect(() => field.current?.select(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const href = withScheme(address.trim());
    if (href !== "" && !isSafeUrl(href)) {
      setRefused(true);
      return;
    }
    setLink(href)(view.state, view.dispatch);
    onClose();
    view.focus();
  };
  return (
    <form className={styles.link} onSubmit={submit}>
      <label>
        {messages.linkAddress}{" "}
        <input
          ref={field}
          value={address}
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          aria-invalid={isRefused}
          aria-describedby={problemId}
          onChange={(event) => {
            setAddress(event.target.value);
            setRefused(false);
          }}
        />
      </label>
      <button type="submit" className="button">
        {messages.linkApply}
      </button>
      <span id={problemId} role="alert">
        {isRefused && messages.linkRefused}
      </span>
    </form>
  );
}

/** `example.org/page` means a site; an address of ours, a part of the page or a mail stay as they are. */
const withScheme = (address: string): string =>
  /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(address) ? `https://${address}` : address;
