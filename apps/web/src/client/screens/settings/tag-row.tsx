import type { ReactElement } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import type { EditedTag } from "./tag-dialog.tsx";

type TagRowProps = {
  readonly tag: EditedTag;
  readonly onEdit: (tag: EditedTag) => void;
  readonly onRemove: (tag: EditedTag) => void;
};

/** A tag with its color and its number of documents; a restricted one with those who see it. */
export function TagRow({ tag, onEdit, onRemove }: TagRowProps): ReactElement {
  const { tags: words } = settingsWords;
  const { locale } = useWords();
  const { name, color, documentCount, list } = tag;
  const names = list && [...list.groups, ...list.users].map((each) => each.name);
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          {color !== null && <span className="swatch" style={{ backgroundColor: color }} aria-hidden="true" />}{" "}
          <span dir="auto">{name}</span>
        </span>
        <span className="row-detail facts">
          <span>{words.documents(documentCount)}</span>
          {names !== undefined && <span>{words.seenBy(new Intl.ListFormat(locale).format(names))}</span>}
        </span>
      </div>
      <div className="row-actions">
        <button type="button" className="button" aria-label={words.editOf(name)} onClick={() => onEdit(tag)}>
          {words.edit}
        </button>
        <button type="button" className="button" aria-label={words.removeOf(name)} onClick={() => onRemove(tag)}>
          {words.remove}
        </button>
      </div>
    </li>
  );
}
