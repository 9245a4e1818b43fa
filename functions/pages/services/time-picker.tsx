import { FieldNotes, type FormState } from "../parts/fields.tsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import { addDays, dateParts, formatClock, formatDate } from "./days.ts";
import { type TimeChoice, weekDays } from "./time-choice.ts";

type PickerProps = Readonly<{
  shop: VisitedShop;
  choice: TimeChoice;
  /** The address that shows a week, and a day of it. */
  pathOf: (query: Readonly<Record<"from" | "day", string>>) => string;
}>;

/** The days of a week with their free times, as links, and the way to other weeks. */
export const DayPicker = ({ shop, choice, pathOf }: PickerProps) => {
  const { from, days, today, date, nextFree } = choice;
  const linkTo = (day: string) => pathOf({ from: day, day });
  return (
    <nav class="week" aria-label="Days" id="times">
      <div class="week-head">
        {from > today && (
          <a class="button plain" href={`${linkTo(addDays(from, -weekDays))}#times`}>
            Earlier
          </a>
        )}
        <strong>
          {formatDate(from, shop.business)} to{" "}
          {formatDate(addDays(from, weekDays - 1), shop.business)}
        </strong>
        {choice.hasNextWeek && (
          <a class="button plain" href={`${linkTo(addDays(from, weekDays))}#times`}>
            Later
          </a>
        )}
      </div>
      <ul class="days">
        {days.map((day) => {
          const { weekday, day: name } = dateParts(day.date, shop.business);
          return (
            <li>
              {day.count === 0 ? (
                <span class="day">
                  <span>{weekday} </span>
                  <span>{name} </span>
                  <small>none free</small>
                </span>
              ) : (
                <a
                  class="day"
                  href={`${pathOf({ from, day: day.date })}#times`}
                  aria-current={day.date === date ? "date" : undefined}
                >
                  <span>{weekday} </span>
                  <span>{name} </span>
                  <small>{day.count} free</small>
                </a>
              )}
            </li>
          );
        })}
      </ul>
      {date === null &&
        (nextFree === null ? (
          <p>
            Nothing is free {choice.hasNextWeek ? "in the next weeks" : "in these days"}. Choose
            something else above, or ask {shop.business.name} for a time.
          </p>
        ) : (
          <p>
            Nothing is free in this week.{" "}
            <a href={`${linkTo(nextFree)}#times`}>
              Next free day: {formatDate(nextFree, shop.business)}
            </a>
          </p>
        ))}
    </nav>
  );
};

type SlotsProps = Readonly<{ shop: VisitedShop; choice: TimeChoice; form: FormState }>;

/** The free times of the chosen day, one of which a form sends. */
export const SlotChoices = ({ shop, choice, form }: SlotsProps) => {
  const { slots, timezone } = choice;
  const labels = slots.map(({ start }) => formatClock(start, shop.business, timezone));
  // The hour that a clock change repeats is there twice.
  const labelOf = (start: string, index: number) =>
    labels.indexOf(labels[index] ?? "") === labels.lastIndexOf(labels[index] ?? "")
      ? labels[index]
      : formatClock(start, shop.business, timezone, "shown");
  return (
    <fieldset class="options" aria-describedby={form.errors.slot ? "slot-error" : undefined}>
      <legend>{formatDate(choice.date ?? choice.from, shop.business)}</legend>
      <FieldNotes name="slot" form={form} hint={`Times of ${timezone.replaceAll("_", " ")}.`} />
      <div class="choices times">
        {slots.map(({ start }, index) => (
          <label>
            <input
              type="radio"
              name="slot"
              value={start}
              checked={form.values.slot === start}
              required
            />
            <span>{labelOf(start, index)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
