/** Local date and time by Intl, as a slow model that shares no code with the tested functions. */
export function createWallClock(timezone: string) {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (at: number): { date: string; time: string } => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    );
    return {
      date: `${parts.year}-${parts.month}-${parts.day}`,
      time: `${parts.hour}:${parts.minute}`,
    };
  };
}

export const weekdayOf = (date: string): number => (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7;

export const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00Z`) - 86_400_000).toISOString().slice(0, 10);
