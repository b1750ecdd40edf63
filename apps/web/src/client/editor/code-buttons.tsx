import type { EditorView } from "prosemirror-view";
import { type ComponentType, type ReactElement, useState } from "react";
import { Button, Group } from "react-aria-components";
import { type CodeWords, loadCodeWords } from "../../messages/code/index.ts";
import { boot } from "../app/boot.ts";
import { useWords } from "../app/words.tsx";
import { codeIn, languageNameOf, trackCode } from "./code-around.ts";
import { copyCode } from "./copy-code.ts";
import styles from "./editor.module.css";
import { LanguageLayer } from "./language-layer.tsx";
import type { TrackedPlace } from "./tracked-places.ts";
import { useEditorState } from "./use-editor-state.ts";

type CodeButtonsProps = {
  readonly view: EditorView;
  /** Whether the caret is in code. A language that is being chosen stays so where others remove the code. */
  readonly isInCode: boolean;
  readonly onClose: () => void;
};

type WithWords = { readonly words: CodeWords };

/** Loads the buttons that the toolbar has for code, with their words in the language of the reader. */
export async function loadCodeButtons(): Promise<ComponentType<CodeButtonsProps>> {
  const words = await loadCodeWords(boot().locale);
  return ({ view, isInCode }) => <CodeButtons view={view} isInCode={isInCode} words={words} />;
}

/** The language of the code in which the caret is, to be changed, and a button that copies the code. */
function CodeButtons({ view, isInCode, words }: Omit<CodeButtonsProps, "onClose"> & WithWords): ReactElement {
  const { messages } = useWords();
  const [place, setPlace] = useState<TrackedPlace | null>(null);
  const name = useEditorState(view, ({ state }) => {
    const code = codeIn(state.doc, state.selection.from);
    return code === null ? words.plain : languageNameOf(code.node, words.plain);
  });
  const here = () => codeIn(view.state.doc, view.state.selection.from);
  const choose = (): void => {
    const code = here();
    if (code !== null) setPlace(trackCode(view, code));
  };
  const close = (): void => {
    place?.end();
    setPlace(null);
  };
  return (
    <>
      {isInCode && (
        <Group className={styles.group ?? ""}>
          <Button
            aria-label={words.languageNow(name)}
            aria-haspopup="dialog"
            aria-expanded={place !== null}
            isDisabled={!view.editable}
            className={styles.tool ?? ""}
            preventFocusOnPress
            onPress={choose}
          >
            <span aria-hidden="true" className={styles.face}>
              <span className={styles.language}>{name}</span>
            </span>
          </Button>
          <Button
            aria-label={words.copy}
            className={styles.tool ?? ""}
            preventFocusOnPress
            onPress={() => void copyCode(here()?.node.textContent ?? "", messages, words)}
          >
            <span aria-hidden="true" className={styles.face}>
              {messages.copyCode}
            </span>
          </Button>
        </Group>
      )}
      {place !== null && <LanguageLayer view={view} place={place} onClose={close} />}
    </>
  );
}
