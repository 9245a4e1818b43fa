import { and, eq, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { hour } from "../../kernel/index.ts";
import { messages } from "../tables.ts";

type ReminderContext = Pick<Context, "db" | "now"> &
  Readonly<{ business: Readonly<{ id: string }> }>;

/**
 * Gives reminders that no attempt has begun their time before the booking, which their source id
 * ends with; without hours they are not sent.
 */
export function rescheduleReminders({ db, business, now }: ReminderContext, hours: number): Write {
  const startsAt = sql`cast(strftime('%s', substr(source_id, instr(source_id, ' ') + 1)) as integer) * 1000`;
  const change =
    hours === 0
      ? { status: "skipped" as const, error: "disabled", nextAttemptAt: null }
      : { nextAttemptAt: sql`max(${now()}, ${startsAt} - ${hours * hour})` };
  return db
    .update(messages)
    .set(change)
    .where(
      and(
        eq(messages.businessId, business.id),
        eq(messages.status, "queued"),
        eq(messages.name, "booking.reminder"),
        eq(messages.attempts, 0),
      ),
    );
}
