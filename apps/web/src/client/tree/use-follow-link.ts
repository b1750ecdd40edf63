import { useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";

/** Returns a handler that follows a link within the app. Other buttons and keys stay the browser's. */
export function useFollowLink(): (event: MouseEvent | { readonly href: string }) => void {
  const router = useRouter();
  return (event) => {
    if ("href" in event) return router.history.push(event.href);
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const href = event.target instanceof Element && event.target.closest("a")?.getAttribute("href");
    if (!href) return;
    event.preventDefault();
    router.history.push(href);
  };
}
