import type { ReactElement } from "react";
import { CheckField, FieldGroup } from "./fields.tsx";

type CheckListProps = {
  /** The path of the list in the operation's input. */
  readonly name: string;
  readonly label: string;
  readonly help?: string | undefined;
  readonly options: readonly { readonly id: string; readonly label: string; readonly help?: string | undefined }[];
  readonly chosen: readonly string[];
  readonly isDisabled?: (id: string) => boolean;
  readonly onChange: (chosen: string[]) => void;
};

/** A choice of any number from a list. */
export function CheckList(props: CheckListProps): ReactElement {
  const { name, label, help, options, chosen, isDisabled, onChange } = props;
  return (
    <FieldGroup name={name} label={label} help={help}>
      {options.map((option) => (
        <CheckField
          key={option.id}
          label={option.label}
          help={option.help}
          checked={chosen.includes(option.id)}
          isDisabled={isDisabled?.(option.id) ?? false}
          onChange={(isChosen) =>
            onChange(isChosen ? [...chosen, option.id] : chosen.filter((each) => each !== option.id))
          }
        />
      ))}
    </FieldGroup>
  );
}
