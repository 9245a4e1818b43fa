import type { ComponentProps, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type ButtonLook = "normal" | "primary" | "danger" | "plain";

type ButtonProps = Omit<ComponentProps<"button">, "className"> &
  Readonly<{
    look?: ButtonLook;
    icon?: IconName;
    /** Whether its effect is under way. The button then takes no click and keeps the focus. */
    isBusy?: boolean;
    children: ReactNode;
  }>;

export function Button({ look = "normal", icon, isBusy = false, onClick, ...props }: ButtonProps) {
  const { children, ...attributes } = props;
  return (
    <button
      type="button"
      {...attributes}
      className={`button ${look}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows an icon alone. The label is read out, and shown when one points at it. */
export const IconButton = ({
  icon,
  label,
  ...props
}: Omit<ComponentProps<"button">, "className" | "children"> &
  Readonly<{ icon: IconName; label: string }>) => (
  <button
    type="button"
    {...props}
    className="button plain icon-only"
    aria-label={label}
    title={label}
  >
    <Icon name={icon} />
  </button>
);
