import { Dialog } from "../../ui/dialog.tsx";
import { Table } from "../../ui/table.tsx";
import "./audit.css";

type ChangeDialogProps = Readonly<{
  title: string;
  before: unknown;
  after: unknown;
  onClose: () => void;
}>;

/** The fields that a change set, with their values before and after it. */
export function ChangeDialog({ title, before, after, onClose }: ChangeDialogProps) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (field) => textOf(was[field]) !== textOf(is[field]),
  );
  return (
    <Dialog title={title} isWide onClose={onClose}>
      {changed.length === 0 ? (
        <p className="dialog-body muted">No field has another value.</p>
      ) : (
        <Table
          label="Changed fields"
          rows={changed}
          keyOf={(field) => field}
          columns={[
            { name: "Field", cell: (field) => field.replaceAll("_", " ") },
            {
              name: "Before",
              isWide: true,
              cell: (field) => <pre className="value">{textOf(was[field])}</pre>,
            },
            {
              name: "After",
              isWide: true,
              cell: (field) => <pre className="value after">{textOf(is[field])}</pre>,
            },
          ]}
        />
      )}
    </Dialog>
  );
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (value === null || value === undefined) return {};
  return typeof value === "object" ? { ...value } : { value };
};

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}
