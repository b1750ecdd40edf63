import { type ComponentProps, type ReactElement, type ReactNode, useId } from "react";
import styles from "./form.module.css";
import { useWrong } from "./form.tsx";

type Labelled = {
  /** The path of the value in the operation's input. */
  readonly name: string;
  readonly label: string;
  readonly help?: string | undefined;
};

type TextFieldProps = Labelled &
  Pick<
    ComponentProps<"input">,
    "type" | "required" | "minLength" | "maxLength" | "autoComplete" | "autoFocus" | "min" | "max" | "placeholder"
  > & { readonly value: string; readonly onChange: (value: string) => void };

/** A field for one line of text, with its help and what is wrong with it. */
export function TextField({
  name,
  label,
  help,
  value,
  onChange,
  type = "text",
  ...rest
}: TextFieldProps): ReactElement {
  const facts = useFacts(name, help);
  return (
    <div className={styles.field}>
      <label htmlFor={facts.id}>{label}</label>
      <input
        {...rest}
        {...facts.attributes}
        type={type}
        dir={directionOf(type)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {facts.notes}
    </div>
  );
}

/** Addresses are read from left to right in every language. */
function directionOf(type: string): "auto" | "ltr" | undefined {
  if (type === "url" || type === "email") return "ltr";
  return type === "text" || type === "search" ? "auto" : undefined;
}

type TextAreaFieldProps = Labelled &
  Pick<ComponentProps<"textarea">, "required" | "rows" | "autoFocus" | "spellCheck"> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

/** A field for several lines of text, with its help and what is wrong with it. */
export function TextAreaField({ name, label, help, value, onChange, ...rest }: TextAreaFieldProps): ReactElement {
  const facts = useFacts(name, help);
  return (
    <div className={styles.field}>
      <label htmlFor={facts.id}>{label}</label>
      <textarea
        {...rest}
        {...facts.attributes}
        dir="auto"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {facts.notes}
    </div>
  );
}

type SelectFieldProps<Value extends string> = Labelled & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
};

/** A choice of one from a short list. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>): ReactElement {
  const { name, label, help, value, options, onChange } = props;
  const facts = useFacts(name, help);
  const choose = (wanted: string): void => {
    const chosen = options.find(([each]) => each === wanted);
    if (chosen !== undefined) onChange(chosen[0]);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={facts.id}>{label}</label>
      <select {...facts.attributes} value={value} onChange={(event) => choose(event.target.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {facts.notes}
    </div>
  );
}

type CheckFieldProps = {
  readonly label: string;
  readonly help?: string | undefined;
  readonly checked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** A box to tick, with its name and help beside it. */
export function CheckField({ label, help, checked, isDisabled = false, onChange }: CheckFieldProps): ReactElement {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={isDisabled}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {help !== undefined && <ChoiceHelp id={id} help={help} />}
    </div>
  );
}

type RadioFieldProps<Value extends string> = Labelled & {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly help?: string }[];
  readonly onChange: (value: Value) => void;
};

/** A choice of one, each with its help. */
export function RadioField<Value extends string>(props: RadioFieldProps<Value>): ReactElement {
  const { name, label, help, value, options, onChange } = props;
  const group = useId();
  return (
    <FieldGroup name={name} label={label} help={help}>
      {options.map((option) => {
        const id = `${group}-${option.value}`;
        return (
          <div key={option.value} className={styles.choice}>
            <input
              id={id}
              type="radio"
              name={group}
              checked={option.value === value}
              aria-describedby={option.help === undefined ? undefined : `${id}-help`}
              onChange={() => onChange(option.value)}
            />
            <label htmlFor={id}>{option.label}</label>
            {option.help !== undefined && <ChoiceHelp id={id} help={option.help} />}
          </div>
        );
      })}
    </FieldGroup>
  );
}

/** Several fields under one name. */
export function FieldGroup({ name, label, help, children }: Labelled & { readonly children: ReactNode }): ReactElement {
  const wrong = useWrong(name);
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {help !== undefined && <p className={styles.help}>{help}</p>}
      {children}
      {wrong !== undefined && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}

const ChoiceHelp = ({ id, help }: { readonly id: string; readonly help: string }): ReactElement => (
  <span id={`${id}-help`} className={styles.help}>
    {help}
  </span>
);

type Facts = {
  readonly id: string;
  readonly attributes: Pick<ComponentProps<"input">, "id" | "aria-invalid" | "aria-describedby">;
  readonly notes: ReactElement;
};

/** Returns what a field needs to be described: its help, and what is wrong with it. */
function useFacts(name: string, help: string | undefined): Facts {
  const id = useId();
  const wrong = useWrong(name);
  const notes = [...(help === undefined ? [] : [`${id}-help`]), ...(wrong === undefined ? [] : [`${id}-wrong`])];
  return {
    id,
    attributes: { id, "aria-invalid": wrong !== undefined, "aria-describedby": notes.join(" ") || undefined },
    notes: (
      <>
        {help !== undefined && (
          <span id={`${id}-help`} className={styles.help}>
            {help}
          </span>
        )}
        {wrong !== undefined && (
          <span id={`${id}-wrong`} className={styles.wrong}>
            {wrong}
          </span>
        )}
      </>
    ),
  };
}
