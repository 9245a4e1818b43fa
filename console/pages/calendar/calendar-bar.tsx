import { useNavigate } from "@tanstack/react-router";
import { Button, IconButton } from "../../ui/button.tsx";
import { addDays, mondayOf } from "../../ui/local-time.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { CalendarView, SchedulingRecords } from "./use-calendar.ts";

type CalendarBarProps = Readonly<{ view: CalendarView; records: SchedulingRecords }>;

/** Chooses the days that are shown, and by what. */
export function CalendarBar({ view, records }: CalendarBarProps) {
  const navigate = useNavigate();
  const format = useFormat();
  const show = (changes: Partial<CalendarView>) =>
    void navigate({ to: ".", search: (before) => ({ ...before, ...changes }) });
  const step = view.view === "day" ? 1 : 7;
  const unit = view.view;
  const today = format.localDay(new Date());
  return (
    <div className="calendar-bar row apart">
      <div className="row">
        <IconButton
          icon="left"
          label={`Previous ${unit}`}
          onClick={() => show({ date: addDays(view.date, -step) })}
        />
        <IconButton
          icon="right"
          label={`Next ${unit}`}
          onClick={() => show({ date: addDays(view.date, step) })}
        />
        <Button onClick={() => show({ date: today })}>Today</Button>
        <input
          className="input"
          type="date"
          aria-label="Day"
          value={view.date}
          onChange={({ target }) => target.value && show({ date: target.value })}
        />
        <h2 className="shown" aria-live="polite">
          {view.view === "day"
            ? format.day(view.date)
            : `Week of ${format.day(mondayOf(view.date))}`}
        </h2>
      </div>
      <div className="row">
        <select
          className="input"
          aria-label="View"
          value={view.view}
          onChange={({ target }) => show({ view: target.value === "week" ? "week" : "day" })}
        >
          <option value="day">Day</option>
          <option value="week">Week</option>
        </select>
        {view.view === "day" ? (
          <select
            className="input"
            aria-label="Columns"
            value={view.by}
            onChange={({ target }) =>
              show({ by: target.value === "resource" ? "resource" : "staff" })
            }
          >
            <option value="staff">By staff</option>
            <option value="resource">By resource</option>
          </select>
        ) : (
          <OnlySelect view={view} records={records} onChange={(only) => show({ only })} />
        )}
      </div>
    </div>
  );
}

const OnlySelect = ({
  view,
  records: { staff, resources },
  onChange,
}: CalendarBarProps & Readonly<{ onChange: (only: string) => void }>) => (
  <select
    className="input"
    aria-label="Whose bookings"
    value={view.only}
    onChange={({ target }) => onChange(target.value)}
  >
    <option value="">All bookings</option>
    {staff.length > 0 && (
      <optgroup label="Staff">
        {staff.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
    )}
    {resources.length > 0 && (
      <optgroup label="Resources">
        {resources.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
    )}
  </select>
);
