import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { Facts } from "../../parts/form/facts.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { NotFound } from "../not-found.tsx";
import { isAbsent } from "./is-absent.ts";
import { KeyReach } from "./key-reach.tsx";
import { SettingsScreen } from "./settings-screen.tsx";

type Key = OutputOf<"apiKeys.info">;

/** Changes the name of an API key, and what it reaches. */
export function EditKey({ id }: { readonly id: string }): ReactElement {
  const { keys: words } = settingsWords;
  const key = useQuery(operationQuery("apiKeys.info", { id }));
  if (isAbsent(key)) return <NotFound />;
  return (
    <SettingsScreen title={key.data === undefined ? words.title : words.editTitle(key.data.name)}>
      {key.data === undefined ? <Loading query={key} /> : <KeyForm apiKey={key.data} />}
    </SettingsScreen>
  );
}

function KeyForm({ apiKey }: { readonly apiKey: Key }): ReactElement {
  const { keys: words } = settingsWords;
  const navigate = useNavigate();
  const { user } = useQuery(bootQuery).data;
  const update = useChange("apiKeys.update");
  const [name, setName] = useState(apiKey.name);
  const [restrictions, setRestrictions] = useState(apiKey.restrictions);
  const leave = (): void => void navigate({ to: "/settings/$", params: { _splat: "keys" } });
  const submission = useSubmit(["name", "restrictions"], async () => {
    // What others may see stays as it is unless it was changed here.
    const changed = restrictions !== apiKey.restrictions;
    await update.mutateAsync({ id: apiKey.id, name, ...(changed && { restrictions }) });
    notify({ text: words.keySaved(name) });
    leave();
  });
  const { expiresAt, revokedAt, scopes } = apiKey;
  const isOpen = apiKey.owner.id === user.id && revokedAt === null;
  const access = scopes.includes("admin") ? "admin" : scopes.includes("write") ? "write" : "read";
  return (
    <>
      <Facts
        facts={[
          [words.access, words.scopes[access]],
          [words.expires, expiresAt === null ? settingsWords.frame.never : <When key="expires" time={expiresAt} />],
        ]}
      />
      <p className="quiet">{isOpen ? words.fixed : words.readOnly}</p>
      {isOpen && (
        <Form submission={submission} submitLabel={words.save} onCancel={leave}>
          <TextField name="name" label={words.name} required maxLength={255} value={name} onChange={setName} />
          <KeyReach value={restrictions} onChange={setRestrictions} />
        </Form>
      )}
    </>
  );
}
