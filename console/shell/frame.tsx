import { Outlet, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { Button, IconButton } from "../ui/button.tsx";

type FrameProps = Readonly<{
  /** What the bar of a phone names. */
  where: string;
  /** The menu. `close` closes it where it is a drawer. */
  menu: (close?: () => void) => ReactNode;
  /** What stands at the end of the bar of a phone. */
  tools?: ReactNode;
}>;

/** The frame of all pages behind the login: the menu, and the page itself. */
export function Frame({ where, menu, tools }: FrameProps) {
  const drawer = useRef<HTMLDialogElement>(null);
  const page = useRef<HTMLElement>(null);
  const router = useRouter();
  const closeDrawer = () => drawer.current?.close();

  useEffect(() => router.subscribe("onResolved", () => drawer.current?.close()), [router]);

  return (
    <div className="shell">
      <div className="skip-menu">
        <Button onClick={() => page.current?.focus()}>Skip the menu</Button>
      </div>
      <aside className="sidebar" aria-label="Menu">
        {menu()}
      </aside>
      <div>
        <header className="top-bar">
          <IconButton icon="menu" label="Menu" onClick={() => drawer.current?.showModal()} />
          <span className="where">{where}</span>
          {tools}
        </header>
        <main ref={page} className="main stack" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <dialog ref={drawer} className="drawer" aria-label="Menu">
        <div className="sidebar">{menu(closeDrawer)}</div>
      </dialog>
    </div>
  );
}
