import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";

/** The reader's name, which others see. */
export function Profile(): ReactElement {
  const { you, frame } = settingsWords;
  const { user } = useQuery(bootQuery).data;
  const [name, setName] = useState(user.name);
  const update = useChange("auth.updateProfile");
  const submission = useSubmit(["name"], async () => {
    await update.mutateAsync({ name });
    notify({ text: frame.saved });
  });
  return (
    <section>
      <h2>{you.profile}</h2>
      <Form submission={submission} submitLabel={you.saveName}>
        <TextField
          name="name"
          label={you.name}
          autoComplete="name"
          required
          maxLength={255}
          value={name}
          onChange={setName}
        />
      </Form>
    </section>
  );
}
