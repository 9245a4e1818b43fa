import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useShop } from "../api/shop.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { Sidebar } from "./sidebar.tsx";

/** The frame of all pages of a shop: the menu, the search, and the page itself. */
export function ShopLayout({ onLogOut }: Readonly<{ onLogOut: () => void }>) {
  const [isSearching, setIsSearching] = useState(false);
  const drawer = useRef<HTMLDialogElement>(null);
  const page = useRef<HTMLElement>(null);
  const { membership } = useShop();
  const router = useRouter();
  const closeDrawer = () => drawer.current?.close();

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setIsSearching(true);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);

  useEffect(() => router.subscribe("onResolved", () => drawer.current?.close()), [router]);

  const openSearch = () => {
    closeDrawer();
    setIsSearching(true);
  };

  return (
    <div className="shell">
      <div className="skip-menu">
        <Button onClick={() => page.current?.focus()}>Skip the menu</Button>
      </div>
      <aside className="sidebar" aria-label="Menu">
        <Sidebar onSearch={openSearch} onLogOut={onLogOut} />
      </aside>
      <div>
        <header className="top-bar">
          <IconButton icon="menu" label="Menu" onClick={() => drawer.current?.showModal()} />
          <span className="where">{membership.business_name}</span>
          <IconButton icon="search" label="Search" onClick={openSearch} />
        </header>
        <main ref={page} className="main stack" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <dialog ref={drawer} className="drawer" aria-label="Menu">
        <div className="sidebar">
          <Sidebar onSearch={openSearch} onLogOut={onLogOut} onFollow={closeDrawer} />
        </div>
      </dialog>
      {isSearching && <CommandPalette onClose={() => setIsSearching(false)} />}
    </div>
  );
}
