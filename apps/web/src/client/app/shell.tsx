import { Outlet } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Bar } from "./bar.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { DialogHost } from "./dialog-host.tsx";
import { LogInAgain } from "./log-in-again.tsx";
import { NoticeList } from "./notice-list.tsx";
import { ProofHost } from "./proof-host.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useWords } from "./words.tsx";

/** The frame around every screen, with the same elements as the server's page. */
export function Shell(): ReactElement {
  const { messages } = useWords();
  return (
    <>
      <div className="skip-links">
        <a href="#main">{messages.skipToContent}</a>
        <a href="#kb-navigation">{messages.skipToNavigation}</a>
        <a href="#kb-search">{messages.skipToSearch}</a>
      </div>
      <div className="shell">
        <Bar />
        <Sidebar />
        <Outlet />
      </div>
      <ConnectionBar />
      <LogInAgain />
      <NoticeList />
      <DialogHost />
      <ProofHost />
    </>
  );
}
