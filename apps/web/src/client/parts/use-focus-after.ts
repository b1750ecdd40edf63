import { type RefObject, useLayoutEffect } from "react";
import { focusHeading } from "../app/focus-heading.ts";

/**
 * Gives the heading the focus when a part leaves the page with the focus in it, as after its only button: keys go on from there, and not
 * from the beginning of the page.
 */
export function useFocusAfter(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      if (element?.contains(document.activeElement)) focusHeading();
    };
  }, [part]);
}
