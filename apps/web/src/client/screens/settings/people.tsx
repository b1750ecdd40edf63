import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { operationQuery } from "../../api/operation-query.ts";
import { usePictures } from "../../api/use-pictures.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ListPages, pageRequest } from "../../parts/form/list-pages.tsx";
import { Loading } from "../../parts/loading.tsx";
import { EmailChangeLinks } from "./email-change-links.tsx";
import { InvitationDialog, type InvitationLayer } from "./invitation-dialog.tsx";
import { InvitationList, InvitationsLink } from "./invitation-list.tsx";
import { PeopleFilters } from "./people-filters.tsx";
import { PersonDialog } from "./person-dialog.tsx";
import type { PersonLayer } from "./person-layer.ts";
import { PersonRow } from "./person-row.tsx";
import { SettingsScreen } from "./settings-screen.tsx";

const route = getRouteApi("/settings/$");

/** The people of the team and the open invitations: found, invited, changed and suspended. */
export function People(): ReactElement {
  const { people: words, invitations } = settingsWords;
  const { show } = route.useSearch();
  const [layer, setLayer] = useState<InvitationLayer>();
  const invite = (
    <button type="button" className="button primary" onClick={() => setLayer({ name: "invite" })}>
      {invitations.invite}
    </button>
  );
  return (
    <SettingsScreen title={words.title} actions={invite}>
      <PeopleFilters />
      {show === "invited" ? (
        <InvitationList onOpen={(name, invitation) => setLayer({ name, invitation })} />
      ) : (
        <>
          <InvitationsLink />
          <EmailChangeLinks />
          <PeopleList />
        </>
      )}
      {layer !== undefined && <InvitationDialog layer={layer} onLayer={setLayer} />}
    </SettingsScreen>
  );
}

function PeopleList(): ReactElement {
  const { people: words } = settingsWords;
  const search = route.useSearch();
  const { query, group: groupId, show } = search;
  const filter = { query, groupId, suspended: show === "suspended", ...pageRequest(search) };
  const people = useQuery(operationQuery("users.list", filter));
  const pictures = usePictures((people.data?.data ?? []).map(({ id }) => id));
  const [layer, setLayer] = useState<PersonLayer>();
  if (people.data === undefined) return <Loading query={people} />;
  return (
    <>
      <p className="quiet" role="status">
        {people.data.total === 0 ? words.nobody : words.found(people.data.total)}
      </p>
      <ul className="rows">
        {people.data.data.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            picture={pictures.get(person.id)}
            onOpen={(name) => setLayer({ name, person })}
          />
        ))}
      </ul>
      <ListPages total={people.data.total} />
      {layer !== undefined && <PersonDialog layer={layer} onLayer={setLayer} />}
    </>
  );
}
