import type { ReactNode } from "react";

/** The heading of a page, with what one can do there. It is also the title of the window. */
export const PageHead = ({
  title,
  badges,
  children,
}: Readonly<{ title: string; badges?: ReactNode; children?: ReactNode }>) => (
  <div className="page-head">
    <title>{title}</title>
    <div className="row title">
      <h1>{title}</h1>
      {badges}
    </div>
    {children && <div className="row no-print">{children}</div>}
  </div>
);
