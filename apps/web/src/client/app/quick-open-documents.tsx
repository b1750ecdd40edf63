import type { ReactElement } from "react";
import type { Messages } from "../../messages/index.ts";
import { DocumentItem } from "../parts/document-item.tsx";
import { DocumentSymbol } from "../parts/document-symbol.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import { PickerSection } from "../parts/picker-section.tsx";
import { Snippet } from "../parts/snippet.tsx";
import type { QuickOpenDocuments } from "./use-quick-open.ts";

/** The entries of documents: the latest, or those whose titles fit, then those whose text does. */
export function quickOpenDocuments({ recent, byTitle, byText }: QuickOpenDocuments, messages: Messages): ReactElement {
  return (
    <>
      {recent.length > 0 && (
        <PickerSection title={messages.recentlyViewed}>
          {recent.map((document) => (
            <DocumentItem key={document.id} document={document} />
          ))}
        </PickerSection>
      )}
      {byTitle.map((document) => (
        <DocumentItem key={document.id} document={document} />
      ))}
      {byText.length > 0 && (
        <PickerSection title={messages.foundInText}>
          {byText.map(({ document: { id, title, emoji }, snippet }) => (
            <PickerItem
              key={id}
              id={id}
              name={title || messages.untitled}
              symbol={<DocumentSymbol emoji={emoji} icon="page" />}
              detail={<Snippet html={snippet} />}
            />
          ))}
        </PickerSection>
      )}
    </>
  );
}
