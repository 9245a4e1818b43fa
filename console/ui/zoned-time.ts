/** A moment as a `datetime-local` input writes it, such as 2026-03-01T09:30, in a time zone. */
export function toZonedInput(time: string, timeZone: string): string {
  const moment = new Date(time).getTime();
  return new Date(moment + offsetMs(moment, timeZone)).toISOString().slice(0, 16);
}

/** The moment of such a text. In the hour that a change of clocks repeats, it is the first. */
export function fromZonedInput(text: string, timeZone: string): string {
  const local = new Date(`${text}Z`).getTime();
  // The offset of the day before is the one before a change of clocks.
  const before = local - offsetMs(local - 86_400_000, timeZone);
  const moment =
    before + offsetMs(before, timeZone) === local ? before : local - offsetMs(before, timeZone);
  return new Date(moment).toISOString();
}

/** How far a zone's clocks are ahead of UTC at a moment. */
function offsetMs(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(moment / 1000) * 1000;
}
