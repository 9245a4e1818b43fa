import { type ReactNode, useId } from "react";

type CardProps = Readonly<{
  title: string;
  /** What stands at the right of the title. */
  actions?: ReactNode;
  /** Whether the content reaches the card's edge, as a table does. */
  isFlush?: boolean;
  children: ReactNode;
}>;

/** A part of a page under a heading of its own. */
export function Card({ title, actions, isFlush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions && <div className="row">{actions}</div>}
      </header>
      <div className={isFlush ? "card-body flush" : "card-body"}>{children}</div>
    </section>
  );
}

/** A fact about a record: its name and its value. Used within `<dl className="facts">`. */
export const Fact = ({ name, children }: Readonly<{ name: string; children: ReactNode }>) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
