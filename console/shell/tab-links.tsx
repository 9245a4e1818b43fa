import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { AccessScope } from "../api/console-api.ts";
import { useShop } from "../api/shop.ts";
import type { TabLink } from "./navigation.ts";

type TabLinksProps = Readonly<{
  label: string;
  tabs: readonly TabLink[];
  /** The scope of the tabs that have none of their own. */
  scope: AccessScope;
}>;

/** The pages under the tabs of a page, as far as the member may read them. */
export function TabLinks({ label, tabs, scope: commonScope }: TabLinksProps) {
  const { can } = useShop();
  const { pathname } = useLocation();
  const list = useRef<HTMLElement>(null);

  useEffect(() => {
    // On a phone the tabs are one line, of which only the beginning is in view.
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const current = links.find((link) => link.pathname.endsWith(pathname));
    if (current && list.current)
      list.current.scrollLeft = current.offsetLeft - list.current.offsetLeft;
  }, [pathname]);

  return (
    <nav ref={list} className="tabs no-print" aria-label={label}>
      {tabs
        .filter(({ scope = commonScope }) => can(scope))
        .map(({ name, to }) => (
          <Link
            key={to}
            to={to}
            from="/$businessId"
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {name}
          </Link>
        ))}
    </nav>
  );
}
