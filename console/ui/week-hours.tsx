import { Button, IconButton } from "./button.tsx";
import { withPlaces } from "./with-places.ts";
import "./week-hours.css";

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

const weekdayNames: Readonly<Record<Weekday, string>> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

type Span = Readonly<{ open: string; close: string }>;
/** Times by weekday, in local time. A weekday without times is closed. */
export type WeekTimes = Readonly<Record<Weekday, readonly Span[]>>;

/** The times of a record of the API, which may leave out weekdays. */
export function toWeekTimes(
  hours: Readonly<Record<string, readonly Span[]>> | null | undefined,
): WeekTimes {
  const of = (weekday: Weekday) => hours?.[weekday] ?? [];
  return {
    mon: of("mon"),
    tue: of("tue"),
    wed: of("wed"),
    thu: of("thu"),
    fri: of("fri"),
    sat: of("sat"),
    sun: of("sun"),
  };
}

type WeekHoursProps = Readonly<{
  label: string;
  value: WeekTimes;
  onChange: (value: WeekTimes) => void;
  /** What is wrong with a field, by its path in the API below the hours, such as `mon.0.close`. */
  errorAt: (path: string) => string | undefined;
}>;

/** The hours of a week: each day has any number of times from and to. */
export const WeekHours = ({ label, value, onChange, errorAt }: WeekHoursProps) => (
  <fieldset className="week-hours">
    <legend className="visually-hidden">{label}</legend>
    {weekdays.map((weekday) => (
      <DayHours
        key={weekday}
        name={weekdayNames[weekday]}
        spans={value[weekday]}
        onChange={(spans) => onChange({ ...value, [weekday]: spans })}
        errorAt={(path) => errorAt(path === "" ? weekday : `${weekday}.${path}`)}
      />
    ))}
  </fieldset>
);

type DayHoursProps = Readonly<{
  name: string;
  spans: readonly Span[];
  onChange: (spans: readonly Span[]) => void;
  errorAt: (path: string) => string | undefined;
}>;

function DayHours({ name, spans, onChange, errorAt }: DayHoursProps) {
  const change = (index: number, changes: Partial<Span>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...changes } : span)));
  const error =
    errorAt("") ??
    spans.map((_, at) => errorAt(`${at}.open`) ?? errorAt(`${at}.close`)).find(Boolean);
  return (
    <div className="day">
      <span className="name">{name}</span>
      <div className="stack spans">
        {spans.length === 0 && <span className="muted">Closed</span>}
        {withPlaces(spans).map(({ value: span, place: index }) => (
          <div key={index} className="row">
            <TimeInput
              label={`${name}, from`}
              value={span.open}
              onChange={(open) => change(index, { open })}
            />
            <span aria-hidden="true">–</span>
            <TimeInput
              label={`${name}, to`}
              value={span.close}
              onChange={(close) => change(index, { close })}
            />
            <IconButton
              icon="close"
              label={`Remove ${span.open} to ${span.close} on ${name}`}
              onClick={() => onChange(spans.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        {error && <p className="form-error">{error}</p>}
      </div>
      <Button
        look="plain"
        icon="plus"
        aria-label={`Add a time on ${name}`}
        onClick={() => onChange([...spans, nextSpan(spans)])}
      >
        Add
      </Button>
    </div>
  );
}

const nextSpan = (spans: readonly Span[]): Span => {
  const last = spans.at(-1);
  return last === undefined
    ? { open: "09:00", close: "17:00" }
    : { open: last.close, close: "20:00" };
};

type TimeInputProps = Readonly<{
  label: string;
  value: string;
  onChange: (value: string) => void;
}>;

/** The end of a day, 24:00, is no value of a time input: it is shown as 00:00. */
const TimeInput = ({ label, value, onChange }: TimeInputProps) => (
  <input
    type="time"
    className="input time"
    aria-label={label}
    required
    value={value === "24:00" ? "00:00" : value}
    onChange={(event) =>
      onChange(
        event.target.value === "00:00" && label.endsWith("to") ? "24:00" : event.target.value,
      )
    }
  />
);
