import { type RefObject, useLayoutEffect, useState } from "react";

/** The height of a row of the tree, and of what stands above the tree in the area that scrolls, in pixels. */
export type Geometry = { readonly rowHeight: number; readonly margin: number };

/** Returns the area around the tree that scrolls. */
export const scrollAreaOf = (tree: HTMLElement | null): HTMLElement | null =>
  tree?.closest<HTMLElement>("[data-scroll-area]") ?? null;

/** Measures the rows of a tree: at once, or after its first layout if the geometry at the beginning is `known`. */
export function useGeometry(tree: RefObject<HTMLElement | null>, known: Geometry | undefined): Geometry {
  const [geometry, setGeometry] = useState<Geometry>(known ?? { rowHeight: 32, margin: 0 });
  useLayoutEffect(() => {
    const element = tree.current;
    const area = scrollAreaOf(element);
    if (element === null || area === null) return;
    const measure = (): void => {
      const rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue("line-height")) || 32;
      const top = element.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop;
      const margin = Math.round(top);
      setGeometry((before) =>
        before.rowHeight === rowHeight && before.margin === margin ? before : { rowHeight, margin },
      );
    };
    // The observer measures after the layout in any case.
    if (known === undefined) measure();
    const observer = new ResizeObserver(measure);
    observer.observe(area);
    for (const child of area.children) if (child !== element) observer.observe(child);
    return () => observer.disconnect();
  }, [tree]);
  return geometry;
}
