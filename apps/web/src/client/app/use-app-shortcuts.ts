import { useNavigate } from "@tanstack/react-router";
import { openDialog } from "./dialogs.ts";
import { moveToRegion } from "./regions.ts";
import { useShortcut } from "./use-shortcut.ts";

/** Listens to the keys that lead through the app from anywhere. */
export function useAppShortcuts(): void {
  const navigate = useNavigate();
  useShortcut("search", () => {
    const field = document.querySelector<HTMLInputElement>(".search-form [type=search]");
    if (field === null) void navigate({ to: "/search", search: {} });
    else field.select();
  });
  useShortcut("home", () => void navigate({ to: "/" }));
  useShortcut("drafts", () => void navigate({ to: "/drafts" }));
  useShortcut("trash", () => void navigate({ to: "/trash" }));
  useShortcut("settings", () => void navigate({ to: "/settings/$", params: { _splat: "" } }));
  useShortcut("nextRegion", () => moveToRegion(1));
  useShortcut("previousRegion", () => moveToRegion(-1));
  useShortcut("help", () => openDialog({ name: "shortcuts" }));
}
