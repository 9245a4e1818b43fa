import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** What a list says that has nothing to show: why, and what to do next. */
export const EmptyState = ({
  icon,
  title,
  children,
}: Readonly<{ icon: IconName; title: string; children?: ReactNode }>) => (
  <div className="empty">
    <Icon name={icon} />
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);
