import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { MeContext, useLoadedMe, useMe } from "../api/me.ts";
import { createFormat } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { FormatContext } from "../ui/use-format.ts";
import { NotFoundPage } from "./error-page.tsx";
import { Frame } from "./frame.tsx";
import { MenuBottom } from "./menu-bottom.tsx";

/** The zone of the operator's computer. The pages show times and no money. */
const ownFormat = () =>
  createFormat({
    currency: "USD",
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  });

/** Gives the operator's pages the login, and a menu with the shops that the login works for. */
export function OperatorFrame() {
  const me = useLoadedMe();
  const format = useMemo(ownFormat, []);
  if (!me) return <NotFoundPage />;
  return (
    <MeContext value={me}>
      <FormatContext value={format}>
        <Frame where="Operator" menu={(close) => <OperatorMenu onFollow={close} />} />
      </FormatContext>
    </MeContext>
  );
}

/** @param onFollow called when a link of the menu is followed, so that a drawer can close. */
function OperatorMenu({ onFollow }: Readonly<{ onFollow: (() => void) | undefined }>) {
  const { user, memberships } = useMe();
  return (
    <>
      <p className="business">Operator</p>
      <nav className="menu" aria-label="Pages" onClickCapture={onFollow}>
        <div>
          <Link
            to="/operator"
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ className: "active" }}
          >
            <Icon name="star" />
            Deployment
          </Link>
        </div>
        {memberships.map(({ business_id: businessId, business_name: name }) => (
          <div key={businessId}>
            <Link to="/$businessId" params={{ businessId }}>
              <Icon name="home" />
              {name}
            </Link>
          </div>
        ))}
      </nav>
      <MenuBottom>
        <Link className="small" to="/operator/account" onClick={onFollow}>
          {user.name ?? user.email}
        </Link>
      </MenuBottom>
    </>
  );
}
