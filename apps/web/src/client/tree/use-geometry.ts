import { type RefObject, useLayoutEffect, useState } from "react";

/** The height of a row of the tree, and of what stands above the tree in the area that scrolls, in pixels. */
export type Geometry = { readonly rowHeight: number; readonly margin: number };

/** Returns the area around the tree that scrolls. */
export const scrollAreaOf = (tree: HTMLElement | null): HTMLElement | null =>
  tree?.closest<HTMLElement>("[data-scroll-area]") ?? null;

/** Measures the rows of a tree. */
export function useGeometry(tree: RefObject<HTMLElement | null>): Geometry {
  const [geometry, setGeometry] = useState<Geometry>({ rowHeight: 32, margin: 0 });
  useLayoutEffect(() => {
    const element = tree.current;
    const area = scrollAreaOf(element);
    if (element === null || area === null) return;
    const measure = (): void => {
      const rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue("line-height")) || 32;
      const top = element.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop;
      const margin = Math.round(top);
      setGeometry((known) =>
        known.rowHeight === rowHeight && known.margin === margin ? known : { rowHeight, margin },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(area);
    for (const child of area.children) if (child !== element) observer.observe(child);
    return () => observer.disconnect();
  }, [tree]);
  return geometry;
}
