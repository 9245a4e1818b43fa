import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMe } from "../api/me.ts";
import { useShop } from "../api/shop.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { MenuBottom } from "./menu-bottom.tsx";
import { navigation, type PagePath } from "./navigation.ts";

type SidebarProps = Readonly<{
  onSearch: () => void;
  /** Called when a link of the menu is followed, so that a drawer can close. */
  onFollow?: (() => void) | undefined;
}>;

/** The menu of a shop: its pages as far as the member's role may read them. */
export function Sidebar({ onSearch, onFollow }: SidebarProps) {
  const { can } = useShop();
  const { user } = useMe();
  return (
    <>
      <BusinessSwitch />
      <Button icon="search" onClick={onSearch} aria-keyshortcuts="Control+K">
        Search <span className="muted small">Ctrl K</span>
      </Button>
      <nav className="menu" aria-label="Pages" onClickCapture={onFollow}>
        {navigation
          .filter(({ scope }) => scope === undefined || can(scope))
          .map(({ name, to, icon, Count, pages = [] }) => (
            <div key={name}>
              <MenuLink to={to}>
                <Icon name={icon} />
                {name}
                {Count && <Count />}
              </MenuLink>
              <div className="sub">
                {pages.map((page) => (
                  <MenuLink key={page.name} to={page.to}>
                    {page.name}
                  </MenuLink>
                ))}
              </div>
            </div>
          ))}
        {user.is_operator && (
          <Link to="/operator">
            <Icon name="star" />
            Operator
          </Link>
        )}
      </nav>
      <MenuBottom>
        <Link className="small" to="/$businessId/account" from="/$businessId" onClick={onFollow}>
          {user.name ?? user.email}
        </Link>
      </MenuBottom>
    </>
  );
}

const MenuLink = ({ to, children }: Readonly<{ to: PagePath; children: ReactNode }>) => (
  <Link
    to={to}
    from="/$businessId"
    activeOptions={{ exact: to === "/$businessId", includeSearch: false }}
    activeProps={{ className: "active" }}
  >
    {children}
  </Link>
);

function BusinessSwitch() {
  const { memberships } = useMe();
  const { id, membership } = useShop();
  if (memberships.length < 2) {
    return (
      <p className="business">
        {membership.business_name} {membership.mode === "test" && <TestMark />}
      </p>
    );
  }
  return (
    <select
      className="input business"
      aria-label="Business"
      value={id}
      onChange={(event) => window.location.assign(`/console/${event.target.value}`)}
    >
      {memberships.map(({ business_id, business_name, mode }) => (
        <option key={business_id} value={business_id}>
          {business_name}
          {mode === "test" ? " (test)" : ""}
        </option>
      ))}
    </select>
  );
}

const TestMark = () => <span className="badge warning">test</span>;
