import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useStars } from "../actions/stars.ts";
import { type DocumentRow, withoutDraftMarks } from "../api/listed-documents.ts";
import { bootQuery, recentQuery } from "../api/queries.ts";
import { useCreate } from "../app/use-create.ts";
import { useWords } from "../app/words.tsx";
import { DocumentRows } from "../parts/document-rows.tsx";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";
import { entryRow } from "./entry-row.ts";
import { mayImport } from "./may-import.ts";

/** The first page: what the reader opened last, starred and drafted, and what others changed. */
export function Home(): ReactElement {
  const { messages } = useWords();
  const recent = useQuery(recentQuery);
  const starred = useStars();
  const { viewed = [], changed = [], drafts = [] } = recent.data ?? {};
  const isFirstUse = recent.data !== undefined && viewed.length + changed.length + drafts.length + starred.length === 0;
  return (
    <Screen title={messages.home}>
      {recent.data === undefined && <Loading query={recent} />}
      {isFirstUse && <FirstUse />}
      <Part title={messages.recentlyViewed} rows={viewed.map(entryRow)} />
      <Part title={messages.starred} rows={starred.map(entryRow)} />
      <Part
        title={messages.changedByOthers}
        rows={changed.map((entry) => ({ ...entryRow(entry), timeForm: "minute" }))}
      />
      <Part title={messages.myDrafts} rows={withoutDraftMarks(drafts.map(entryRow))}>
        <Link to="/drafts">{messages.allDrafts}</Link>
      </Part>
    </Screen>
  );
}

type PartProps = {
  readonly title: string;
  readonly rows: readonly DocumentRow[];
  readonly children?: ReactElement;
};

function Part({ title, rows, children }: PartProps): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <section className="part">
      <h2>{title}</h2>
      <DocumentRows rows={rows} />
      {children !== undefined && <p>{children}</p>}
    </section>
  );
}

/** Says what the app is, for those who see it for the first time, and offers the first step. */
function FirstUse(): ReactElement {
  const { messages } = useWords();
  const create = useCreate();
  const { data } = useQuery(bootQuery);
  return (
    <>
      <p className="quiet">
        {messages.homeWelcome} {messages.homeFirst}
      </p>
      {mayImport(data.user.capabilities) && (
        <p className="quiet">
          <Link to="/settings/$" params={{ _splat: "transfer" }}>
            {messages.homeImport}
          </Link>
        </p>
      )}
      {create !== undefined && (
        <p>
          <button type="button" className="button primary" onClick={() => create()}>
            {messages.newDocument}
          </button>
        </p>
      )}
    </>
  );
}
