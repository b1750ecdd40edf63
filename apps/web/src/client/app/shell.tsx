import { Outlet, useRouterState } from "@tanstack/react-router";
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
        <ShownScreen />
      </div>
      <ConnectionBar />
      <LogInAgain />
      <NoticeList />
      <DialogHost />
      <ProofHost />
    </>
  );
}

/**
 * The screen of the address. React would keep the screen before in the page, hidden, beside what stands for one that is awaited: two
 * main parts with one id, of which a link to the content finds the hidden one.
 */
function ShownScreen(): ReactElement {
  const isAwaited = useRouterState({ select: ({ matches }) => matches.at(-1)?.status === "pending" });
  return <Outlet key={isAwaited ? "awaited" : "shown"} />;
}
