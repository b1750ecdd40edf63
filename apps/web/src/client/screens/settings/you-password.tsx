import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { Loading } from "../../parts/loading.tsx";

/** Changes the reader's password; those who log in by single sign-on have none. */
export function ChangePassword(): ReactElement {
  const { you } = settingsWords;
  const me = useQuery(operationQuery("auth.me", {}));
  return (
    <section>
      <h2>{you.password}</h2>
      {me.data === undefined ? (
        <Loading query={me} />
      ) : me.data.profile.hasPassword ? (
        <PasswordForm email={me.data.user.email} />
      ) : (
        <p>{you.withoutPassword}</p>
      )}
    </section>
  );
}

function PasswordForm({ email }: { readonly email: string }): ReactElement {
  const { you } = settingsWords;
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useChange("auth.changePassword");
  const submission = useSubmit(["currentPassword", "newPassword"], async () => {
    await change.mutateAsync({ currentPassword, newPassword });
    setCurrent("");
    setNew("");
    notify({ text: you.passwordChanged });
  });
  return (
    <>
      <p className="quiet">{you.passwordHelp}</p>
      <Form submission={submission} submitLabel={you.changePassword}>
        {/* Password managers learn from it whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <TextField
          name="currentPassword"
          label={you.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          maxLength={1_024}
          value={currentPassword}
          onChange={setCurrent}
        />
        <TextField
          name="newPassword"
          label={you.newPassword}
          help={you.newPasswordHelp}
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={1_024}
          value={newPassword}
          onChange={setNew}
        />
      </Form>
    </>
  );
}
