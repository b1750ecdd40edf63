import type { ReactElement } from "react";
import { failureText } from "../actions/failure-text.ts";
import { useChange } from "../api/change.ts";
import type { View } from "../api/contract.ts";
import { useWords } from "../app/words.tsx";

/** Says that a document is a draft, archived or in the trash, and offers the way out to those who may take it. */
export function DocumentNotice({ view }: { readonly view: View }): ReactElement | null {
  const { messages } = useWords();
  const { document, abilities } = view;
  const publish = useChange("documents.update");
  const unarchive = useChange("documents.unarchive");
  const restore = useChange("documents.restore");
  const { id } = document;
  if (document.deletedAt !== null) {
    return (
      <Notice text={messages.trashedNotice} failure={restore.error}>
        {abilities.restore && <NoticeButton label={messages.restore} onPress={() => restore.mutate({ id })} />}
      </Notice>
    );
  }
  if (document.archivedAt !== null) {
    return (
      <Notice text={messages.archivedNotice} failure={unarchive.error}>
        {abilities.unarchive && <NoticeButton label={messages.unarchive} onPress={() => unarchive.mutate({ id })} />}
      </Notice>
    );
  }
  if (document.publishedAt !== null) return null;
  return (
    <Notice text={messages.draftNotice} failure={publish.error}>
      {abilities.publish && (
        <NoticeButton
          label={messages.publish}
          onPress={() => publish.mutate({ id, published: true, expectedRevision: document.revision })}
        />
      )}
    </Notice>
  );
}

type NoticeProps = { readonly text: string; readonly failure: Error | null; readonly children: ReactElement | false };

function Notice({ text, failure, children }: NoticeProps): ReactElement {
  const { messages } = useWords();
  return (
    <div className="notice">
      <span>{text}</span>
      {children}
      {failure !== null && <span role="alert">{failureText(failure, messages)}</span>}
    </div>
  );
}

function NoticeButton({ label, onPress }: { readonly label: string; readonly onPress: () => void }): ReactElement {
  return (
    <button type="button" className="button" onClick={onPress}>
      {label}
    </button>
  );
}
