import { type ReactElement, type ReactNode, useId } from "react";
import styles from "./picker.module.css";

type PickerSectionProps = { readonly title: string; readonly children: ReactNode };

/** Entries of a `Picker` under a title. */
export function PickerSection({ title, children }: PickerSectionProps): ReactElement {
  const titleId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields, and no entries of a menu.
    <section role="group" aria-labelledby={titleId}>
      <div id={titleId} className={styles.header}>
        {title}
      </div>
      {children}
    </section>
  );
}
