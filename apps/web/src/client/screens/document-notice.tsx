import type { ReactElement } from "react";
import { useChange } from "../api/change.ts";
import type { View } from "../api/contract.ts";
import { useWords } from "../app/words.tsx";
import { Notice, NoticeButton } from "../parts/notice.tsx";

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
