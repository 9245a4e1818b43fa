import { useShop } from "../../../api/shop.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import { newSchedule, type ScheduleValues, type Weekday } from "../product-values.ts";
import type { CardProps } from "./product-cards.tsx";

const weekdays: readonly Readonly<{ day: Weekday; name: string }>[] = [
  { day: "mon", name: "Mon" },
  { day: "tue", name: "Tue" },
  { day: "wed", name: "Wed" },
  { day: "thu", name: "Thu" },
  { day: "fri", name: "Fri" },
  { day: "sat", name: "Sat" },
  { day: "sun", name: "Sun" },
];

/** The times at which a product can be bought. */
export function SchedulesCard({ form }: CardProps) {
  const { value: rules, onChange, error } = form.field("schedules");
  return (
    <Card
      title="Times of sale"
      actions={
        <Button icon="plus" onClick={() => onChange([...rules, newSchedule()])}>
          Add times
        </Button>
      }
    >
      {rules.length === 0 && <p className="muted">The product can be bought at any time.</p>}
      <ul className="entries">
        {rules.map((rule, position) => (
          <li key={rule.key}>
            <RuleFields
              rule={rule}
              number={position + 1}
              errorAt={(path) => form.errorAt(`schedules.${position}.${path}`)}
              onChange={(changes) =>
                onChange(rules.toSpliced(position, 1, { ...rule, ...changes }))
              }
              onRemove={() => onChange(rules.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      {error && <p className="form-error">{error}</p>}
    </Card>
  );
}

type RuleFieldsProps = Readonly<{
  rule: ScheduleValues;
  number: number;
  errorAt: (path: string) => string | undefined;
  onChange: (changes: Partial<ScheduleValues>) => void;
  onRemove: () => void;
}>;

function RuleFields({ rule, number, errorAt, onChange, onRemove }: RuleFieldsProps) {
  const { membership } = useShop();
  const locations = membership.locations.map(({ id, name }) => ({ value: id, name }));
  const setDay = (day: Weekday, isChosen: boolean) =>
    onChange({ days: isChosen ? [...rule.days, day] : rule.days.filter((one) => one !== day) });
  return (
    <fieldset className="stack" aria-label={`Times ${number}`}>
      <div className="row days">
        {weekdays.map(({ day, name }) => (
          <label key={day} className="checkbox">
            <input
              type="checkbox"
              checked={rule.days.includes(day)}
              onChange={(event) => setDay(day, event.target.checked)}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {errorAt("days") && <p className="form-error">{errorAt("days")}</p>}
      <div className="fields narrow">
        <TextField
          label="From"
          type="time"
          required
          value={rule.start_time}
          onChange={(time) => onChange({ start_time: time })}
          error={errorAt("start_time")}
        />
        <EndTime rule={rule} errorAt={errorAt} onChange={onChange} />
        <TextField
          label="First day"
          type="date"
          value={rule.starts_on}
          onChange={(day) => onChange({ starts_on: day })}
          error={errorAt("starts_on")}
        />
        <TextField
          label="Last day"
          type="date"
          value={rule.ends_on}
          onChange={(day) => onChange({ ends_on: day })}
          error={errorAt("ends_on")}
        />
        <Select
          label="Location"
          options={[{ value: "", name: "All locations" }, ...locations]}
          value={rule.location_id}
          onChange={(id) => onChange({ location_id: id })}
          error={errorAt("location_id")}
        />
      </div>
      <div className="row end">
        <Button look="plain" icon="trash" onClick={onRemove}>
          Remove these times
        </Button>
      </div>
    </fieldset>
  );
}

/** The API's 24:00 is midnight, which a time input writes as 00:00. */
const EndTime = ({ rule, errorAt, onChange }: Omit<RuleFieldsProps, "number" | "onRemove">) => (
  <TextField
    label="Until"
    type="time"
    required
    value={rule.end_time === "24:00" ? "00:00" : rule.end_time}
    onChange={(time) => onChange({ end_time: time === "00:00" ? "24:00" : time })}
    error={errorAt("end_time")}
  />
);
