import { useEffect, useState } from "react";
import { useShop } from "../api/shop.ts";
import { IconButton } from "../ui/button.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { Frame } from "./frame.tsx";
import { Sidebar } from "./sidebar.tsx";

/** The frame of all pages of a shop: the menu, the search, and the page itself. */
export function ShopLayout() {
  const [isSearching, setIsSearching] = useState(false);
  const { membership } = useShop();

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setIsSearching(true);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);

  const openSearch = () => setIsSearching(true);

  return (
    <>
      <Frame
        where={membership.business_name}
        menu={(close) => (
          <Sidebar
            onSearch={() => {
              close?.();
              openSearch();
            }}
            onFollow={close}
          />
        )}
        tools={<IconButton icon="search" label="Search" onClick={openSearch} />}
      />
      {isSearching && <CommandPalette onClose={() => setIsSearching(false)} />}
    </>
  );
}
