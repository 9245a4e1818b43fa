import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import type { FieldState } from "../../../ui/field.tsx";

type GroupEntriesProps<G> = FieldState<readonly G[]> &
  Readonly<{
    title: string;
    /** What is said while there is no group. */
    hint: string;
    create: () => G;
    children: (group: G, position: number, entry: GroupEntry<G>) => ReactNode;
  }>;

type GroupEntry<G> = Readonly<{
  onChange: (changes: Partial<G>) => void;
  onRemove: () => void;
}>;

/** The groups from which shoppers choose, with buttons to add and remove one. */
export function GroupEntries<G extends Readonly<{ key: string }>>({
  title,
  hint,
  value: groups,
  onChange,
  error,
  create,
  children,
}: GroupEntriesProps<G>) {
  return (
    <Card
      title={title}
      actions={
        <Button icon="plus" onClick={() => onChange([...groups, create()])}>
          Add a group
        </Button>
      }
    >
      {groups.length === 0 && <p className="muted">{hint}</p>}
      <ul className="entries">
        {groups.map((group, position) => (
          <li key={group.key}>
            {children(group, position, {
              onChange: (changes) =>
                onChange(groups.toSpliced(position, 1, { ...group, ...changes })),
              onRemove: () => onChange(groups.toSpliced(position, 1)),
            })}
          </li>
        ))}
      </ul>
      {error && <p className="form-error">{error}</p>}
    </Card>
  );
}
