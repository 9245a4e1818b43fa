import { Button, IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";
import { useFormat } from "./use-format.ts";
import { withPlaces } from "./with-places.ts";
import "./week-hours.css";

/** Days on which somebody is away or a place is closed. */
export type Closure = Readonly<{ from: string; to: string; reason: string | null }>;

type ClosuresProps = Readonly<{
  /** What the button adds, such as "Add time off". */
  action: string;
  value: readonly Closure[];
  onChange: (value: readonly Closure[]) => void;
  errorAt: (path: string) => string | undefined;
}>;

/** A list of days off, each from its first to its last day. */
export function Closures({ action, value, onChange, errorAt }: ClosuresProps) {
  const format = useFormat();
  const change = (index: number, changes: Partial<Closure>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...changes } : one)));
  return (
    <div className="stack">
      {withPlaces(value).map(({ value: { from, to, reason }, place: index }) => (
        <div key={index} className="closure">
          <TextField
            label="From"
            type="date"
            required
            value={from}
            onChange={(day) => change(index, { from: day, ...(to < day && { to: day }) })}
            error={errorAt(`${index}.from`)}
          />
          <TextField
            label="To"
            type="date"
            required
            value={to}
            onChange={(day) => change(index, { to: day })}
            error={errorAt(`${index}.to`)}
          />
          <TextField
            label="Reason"
            maxLength={500}
            value={reason ?? ""}
            onChange={(text) => change(index, { reason: text === "" ? null : text })}
            error={errorAt(`${index}.reason`)}
          />
          <IconButton
            icon="trash"
            label={`Remove ${from} to ${to}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div className="row">
        <Button
          icon="plus"
          onClick={() => onChange([...value, newClosure(format.localDay(new Date()))])}
        >
          {action}
        </Button>
      </div>
    </div>
  );
}

const newClosure = (today: string): Closure => ({ from: today, to: today, reason: null });
