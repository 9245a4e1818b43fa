import { Link } from "@tanstack/react-router";
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
  return (
    <nav className="tabs no-print" aria-label={label}>
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
