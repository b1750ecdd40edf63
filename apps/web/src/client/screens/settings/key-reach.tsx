import { type ReactElement, useState } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { RadioField } from "../../parts/form/fields.tsx";
import { noAccess, type Restrictions } from "./key-restrictions.ts";
import { RestrictionTree } from "./restriction-tree.tsx";

type KeyReachProps = {
  /** Null for a key that reaches what its owner does. */
  readonly value: Restrictions | null;
  readonly onChange: (value: Restrictions | null) => void;
};

/** What a key reaches: everything, or what is chosen in a tree. A choice is kept while the other is tried. */
export function KeyReach({ value, onChange }: KeyReachProps): ReactElement {
  const { keys: words } = settingsWords;
  const [chosen, setChosen] = useState(value ?? noAccess);
  const choose = (restrictions: Restrictions): void => {
    setChosen(restrictions);
    onChange(restrictions);
  };
  return (
    <div className="settings-reach">
      <RadioField
        name="restrictions"
        label={words.reach}
        value={value === null ? "everything" : "chosen"}
        options={[
          { value: "chosen", label: words.chosen, help: words.chosenHelp },
          { value: "everything", label: words.everything, help: words.everythingHelp },
        ]}
        onChange={(reach) => onChange(reach === "everything" ? null : chosen)}
      />
      {value !== null && (
        <>
          <RestrictionTree value={value} onChange={choose} />
          <p className="quiet" role="status">
            {words.chosenCount(Object.keys(value.collections).length, Object.keys(value.documents).length)}
          </p>
        </>
      )}
    </div>
  );
}
