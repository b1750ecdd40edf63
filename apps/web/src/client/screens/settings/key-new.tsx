import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { RadioField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { type Expiry, expiries, expiryOf, today } from "./key-expiry.ts";
import { KeyReach } from "./key-reach.tsx";
import { noAccess, type Restrictions } from "./key-restrictions.ts";
import { SettingsScreen } from "./settings-screen.tsx";

const scopes = { read: ["read"], write: ["read", "write"], admin: ["read", "write", "admin"] } as const;
type Access = keyof typeof scopes;
const accesses: readonly Access[] = ["read", "write", "admin"];

/** Makes an API key: what it may do, how long, and where. The key itself is shown once. */
export function NewKey(): ReactElement {
  const { keys: words } = settingsWords;
  const navigate = useNavigate();
  const create = useChange("apiKeys.create");
  const [name, setName] = useState("");
  const [access, setAccess] = useState<Access>("read");
  const [expiry, setExpiry] = useState<Expiry>("days90");
  const [day, setDay] = useState("");
  const [restrictions, setRestrictions] = useState<Restrictions | null>(noAccess);
  const [secret, setSecret] = useState<string>();
  const leave = (): void => void navigate({ to: "/settings/$", params: { _splat: "keys" } });
  const submission = useSubmit(["name", "scopes", "expiresAt", "restrictions"], async () => {
    const expiresAt = expiryOf(expiry, day);
    const { key } = await create.mutateAsync({ name, scopes: [...scopes[access]], expiresAt, restrictions });
    setSecret(key);
  });
  return (
    <SettingsScreen title={words.newTitle}>
      <Form submission={submission} submitLabel={words.submit} onCancel={leave}>
        <TextField
          name="name"
          label={words.name}
          help={words.nameHelp}
          required
          maxLength={255}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <RadioField
          name="scopes"
          label={words.access}
          value={access}
          options={accesses.map((value) => ({ value, label: words.scopes[value], help: words.scopeHelp[value] }))}
          onChange={setAccess}
        />
        <SelectField
          name="expiry"
          label={words.expiry}
          value={expiry}
          options={expiries.map((each) => [each, words.expiries[each]] as const)}
          onChange={setExpiry}
        />
        {expiry === "date" && (
          <TextField
            name="expiresAt"
            label={words.expiryDay}
            type="date"
            required
            min={today()}
            value={day}
            onChange={setDay}
          />
        )}
        <KeyReach value={restrictions} onChange={setRestrictions} />
      </Form>
      {secret !== undefined && (
        <SecretDialog title={words.created} label={words.secret} secret={secret} onClose={leave} />
      )}
    </SettingsScreen>
  );
}
