import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { Loading } from "../../parts/loading.tsx";
import { allGroupsQuery, type Group } from "./all-groups.ts";
import { GroupDialog } from "./group-dialog.tsx";
import { SettingsScreen } from "./settings-screen.tsx";
import { useHas } from "./use-page-list.ts";

type Layer = { readonly name: "new" } | { readonly name: "edit" | "remove"; readonly group: Group };

/** The groups of the team with what their members may do. Those who manage groups change them. */
export function Groups(): ReactElement {
  const { groups: words } = settingsWords;
  const groups = useQuery(allGroupsQuery);
  const mayChange = useHas("settings.groups");
  const [layer, setLayer] = useState<Layer>();
  const create = mayChange && (
    <button type="button" className="button primary" onClick={() => setLayer({ name: "new" })}>
      {words.create}
    </button>
  );
  return (
    <SettingsScreen title={words.title} actions={create}>
      <p className="quiet">{words.help}</p>
      {groups.data === undefined ? (
        <Loading query={groups} />
      ) : (
        <ul className="rows">
          {groups.data.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              {...(mayChange && { onOpen: (name: "edit" | "remove") => setLayer({ name, group }) })}
            />
          ))}
        </ul>
      )}
      {layer !== undefined && <GroupLayer layer={layer} onClose={() => setLayer(undefined)} />}
    </SettingsScreen>
  );
}

type GroupRowProps = { readonly group: Group; readonly onOpen?: (name: "edit" | "remove") => void };

function GroupRow({ group, onOpen }: GroupRowProps): ReactElement {
  const { groups: words } = settingsWords;
  const { id, name, builtIn, capabilities, memberCount } = group;
  const seesPeople = useHas("settings.members");
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <span dir="auto">{name}</span> {builtIn !== null && <span className="tag">{words.builtIn}</span>}
        </span>
        <span className="row-detail">{words.members(memberCount)}</span>
        {builtIn === "admins" ? (
          <p className="row-detail">{words.canAll}</p>
        ) : capabilities.length === 0 ? (
          <p className="row-detail">{words.canNothing}</p>
        ) : (
          <details>
            <summary>{words.can}</summary>
            <ul>
              {capabilities.map((each) => (
                <li key={each}>{words.sentences[each]}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className="row-actions">
        {seesPeople && memberCount > 0 && (
          <Link
            to="/settings/$"
            params={{ _splat: "people" }}
            search={{ group: id }}
            className="button"
            aria-label={words.showMembersOf(name)}
          >
            {words.showMembers}
          </Link>
        )}
        {onOpen !== undefined && builtIn !== "admins" && (
          <button type="button" className="button" aria-label={words.editOf(name)} onClick={() => onOpen("edit")}>
            {words.edit}
          </button>
        )}
        {onOpen !== undefined && builtIn === null && (
          <button type="button" className="button" aria-label={words.removeOf(name)} onClick={() => onOpen("remove")}>
            {words.remove}
          </button>
        )}
      </div>
    </li>
  );
}

function GroupLayer({ layer, onClose }: { readonly layer: Layer; readonly onClose: () => void }): ReactElement {
  const { groups: words } = settingsWords;
  const remove = useChange("groups.delete");
  if (layer.name === "new") return <GroupDialog onClose={onClose} />;
  const { group } = layer;
  if (layer.name === "edit") return <GroupDialog group={group} onClose={onClose} />;
  return (
    <ConfirmAction
      title={words.removeTitle(group.name)}
      text={words.removeText(group.memberCount)}
      action={words.remove}
      run={async () => {
        await remove.mutateAsync({ id: group.id });
        notify({ text: words.groupRemoved(group.name) });
      }}
      onClose={onClose}
    />
  );
}
