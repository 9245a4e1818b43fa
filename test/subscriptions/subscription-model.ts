import { day } from "../../shared/kernel/index.ts";

/**
 * A model of a subscription by the contract, with its own date arithmetic and the time zones of
 * Intl.
 */
export type ModelTerms = Readonly<{
  startedAt: number;
  timezone: string;
  interval: "day" | "week" | "month" | "year";
  intervalCount: number;
  trialDays: number;
}>;

const gapsMs: readonly number[] = [1, 2, 2].map((days) => days * day);

/** Adds months in local time; the day stays the same where the month has it. */
function addMonths(at: number, months: number, timezone: string): number {
  const here = wallTime(at, timezone);
  const date = new Date(here);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(date.getUTCDate(), last));
  return instantOf(midnight + (here % day), timezone);
}

const addDays = (at: number, days: number, timezone: string): number =>
  instantOf(wallTime(at, timezone) + days * day, timezone);

/** The local time at an instant, as if it were UTC. */
function wallTime(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  }).formatToParts(at);
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const time = [of("hour"), of("minute"), of("second")] as const;
  return Date.UTC(of("year"), of("month") - 1, of("day"), ...time) + (at % 1_000);
}

/** The first instant with this local time; a skipped time moves forward by the clock change. */
function instantOf(wall: number, timezone: string): number {
  const offsets = [-day, day].map((away) => wallTime(wall + away, timezone) - wall - away);
  const instants = offsets.map((offset) => wall - offset);
  return instants.find((at) => wallTime(at, timezone) === wall) ?? instants[0] ?? wall;
}

const months = { month: 1, year: 12 } as const;
const days = { day: 1, week: 7 } as const;

export function createModel({
  startedAt,
  timezone,
  interval,
  intervalCount,
  trialDays,
}: ModelTerms) {
  const anchor = addDays(startedAt, trialDays, timezone);
  const end = (cycle: number): number => {
    const count = intervalCount * (trialDays > 0 ? cycle - 1 : cycle);
    return interval === "month" || interval === "year"
      ? addMonths(anchor, months[interval] * count, timezone)
      : addDays(anchor, days[interval] * count, timezone);
  };
  const begin = (cycle: number): number => (cycle === 1 ? startedAt : end(cycle - 1));

  let status: "active" | "paused" | "past_due" | "cancelled" = "active";
  let next = 2;
  let endsAt: number | null = null;
  let failures = 0;
  let failedAt = 0;
  const paid = [1];

  function running(now: number): number {
    const at = endsAt === null ? now : Math.min(now, endsAt - 1);
    const lastPaid = paid.at(-1) ?? 1;
    let cycle = lastPaid;
    while (cycle < next - 1 && begin(cycle + 1) <= at) cycle += 1;
    return cycle;
  }

  const isActive = () => status === "active";
  const dueAt = () => (failures === 0 ? begin(next) : failedAt + (gapsMs[failures - 1] ?? 0));

  /** Whether its end has come, even if the job has not run. */
  const isOver = (now: number) => status === "cancelled" || (endsAt !== null && endsAt <= now);

  function endNow(now: number): void {
    status = "cancelled";
    endsAt = Math.min(endsAt ?? now, now);
  }

  return {
    /** Applies what the job does at an instant. */
    run(now: number, pays: boolean): void {
      for (;;) {
        if (status === "cancelled") return;
        if (endsAt !== null && endsAt <= now) endNow(now);
        if (endsAt !== null || status === "paused" || dueAt() > now) return;
        if (pays) {
          paid.push(next);
          next += 1;
          failures = 0;
          status = "active";
        } else {
          failures += 1;
          failedAt = now;
          status = "past_due";
          if (failures === 4) endNow(now);
        }
      }
    },

    /** Applies the action; returns whether it is allowed. */
    pause(now: number): boolean {
      if (!isActive() || isOver(now)) return false;
      status = "paused";
      return true;
    },
    resume(now: number): boolean {
      if (isActive() && endsAt !== null && !isOver(now)) {
        endsAt = null;
        return true;
      }
      if (status !== "paused" || isOver(now)) return false;
      status = "active";
      while (begin(next) <= now) next += 1;
      return true;
    },
    skip(now: number): boolean {
      const isFull = next - running(now) > 12;
      if (!isActive() || endsAt !== null || begin(next) <= now || isFull) return false;
      next += 1;
      return true;
    },
    cancel(now: number): boolean {
      if (status === "cancelled" || endsAt !== null) return true;
      const periodEnd = end(running(now));
      if (periodEnd <= now) endNow(now);
      else endsAt = periodEnd;
      return true;
    },
    end(now: number): boolean {
      if (!isOver(now)) endNow(now);
      return true;
    },

    /** Whether subscription.cancelled was emitted. */
    hasEndedEvent: () => status === "cancelled",

    view(now: number) {
      const cycle = running(now);
      const isCharged = endsAt === null && (isActive() || status === "past_due");
      return {
        status: isOver(now) ? "cancelled" : isActive() && now < anchor ? "trialing" : status,
        isCancelling: endsAt !== null && !isOver(now),
        start: begin(cycle),
        end: end(cycle),
        nextChargeAt: isCharged ? dueAt() : null,
        paid: [...paid],
      };
    },
  };
}

export type SubscriptionModel = ReturnType<typeof createModel>;
