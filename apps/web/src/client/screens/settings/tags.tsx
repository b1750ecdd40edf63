import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { tagsQueries } from "../../actions/tag-choices.ts";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { Loading } from "../../parts/loading.tsx";
import { allRestrictedQuery } from "./all-restricted-tags.ts";
import { SettingsScreen } from "./settings-screen.tsx";
import { type EditedTag, TagDialog } from "./tag-dialog.tsx";
import { TagRow } from "./tag-row.tsx";

type Layer = { readonly name: "edit"; readonly tag: EditedTag } | { readonly name: "remove"; readonly tag: EditedTag };

const newTag: EditedTag = { id: undefined, name: "", color: null, documentCount: 0, list: undefined };

/** The tags of the team: those that everybody may see, and the restricted ones with their lists. */
export function Tags(): ReactElement {
  const { tags: words } = settingsWords;
  const [layer, setLayer] = useState<Layer>();
  const edit = (tag: EditedTag): void => setLayer({ name: "edit", tag });
  const remove = (tag: EditedTag): void => setLayer({ name: "remove", tag });
  return (
    <SettingsScreen title={words.title}>
      <p className="quiet">{words.help}</p>
      <div className="buttons">
        <button type="button" className="button primary" onClick={() => edit(newTag)}>
          {words.create}
        </button>
        <button type="button" className="button" onClick={() => edit({ ...newTag, list: { groups: [], users: [] } })}>
          {words.createRestricted}
        </button>
      </div>
      <OpenTags onEdit={edit} onRemove={remove} />
      <RestrictedTags onEdit={edit} onRemove={remove} />
      {layer !== undefined && <TagLayer layer={layer} onClose={() => setLayer(undefined)} />}
    </SettingsScreen>
  );
}

type TagActions = { readonly onEdit: (tag: EditedTag) => void; readonly onRemove: (tag: EditedTag) => void };

function OpenTags({ onEdit, onRemove }: TagActions): ReactElement {
  const { tags: words } = settingsWords;
  const tags = useQuery(tagsQueries.all);
  const open = tags.data?.filter(({ restricted }) => restricted !== true);
  return (
    <section>
      <h2>{words.open}</h2>
      {open === undefined ? (
        <Loading query={tags} />
      ) : open.length === 0 ? (
        <p>{words.openEmpty}</p>
      ) : (
        <ul className="rows">
          {open.map(({ id, name, color, documentCount = 0 }) => (
            <TagRow key={id} tag={{ id, name, color, documentCount, list: undefined }} {...{ onEdit, onRemove }} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RestrictedTags({ onEdit, onRemove }: TagActions): ReactElement {
  const { tags: words } = settingsWords;
  const tags = useQuery(allRestrictedQuery);
  return (
    <section>
      <h2>{words.restricted}</h2>
      {tags.data === undefined ? (
        <Loading query={tags} />
      ) : tags.data.length === 0 ? (
        <p>{words.restrictedEmpty}</p>
      ) : (
        <ul className="rows">
          {tags.data.map(({ groups, users, ...tag }) => (
            <TagRow key={tag.id} tag={{ ...tag, list: { groups, users } }} {...{ onEdit, onRemove }} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TagLayer({ layer, onClose }: { readonly layer: Layer; readonly onClose: () => void }): ReactElement {
  const { tags: words } = settingsWords;
  const remove = useChange("tags.delete");
  const { tag } = layer;
  if (layer.name === "edit" || tag.id === undefined) return <TagDialog tag={tag} onClose={onClose} />;
  const { id, name, documentCount } = tag;
  return (
    <ConfirmAction
      title={words.removeTitle(name)}
      text={words.removeText(documentCount)}
      action={words.remove}
      run={async () => {
        await remove.mutateAsync({ id });
        notify({ text: words.tagRemoved(name) });
      }}
      onClose={onClose}
    />
  );
}
