import type { Context, Db, Write } from "../../database/index.ts";
import type { QueuedMessage } from "../message.ts";
import { messages } from "../tables.ts";

/** A message that does not follow from an event. */
export type NewMessage = Pick<
  QueuedMessage,
  "name" | "recipient" | "sourceId" | "subjectId" | "channel"
>;

type QueueContext = Pick<Context, "newId" | "now"> &
  Readonly<{ db: Db; business: Readonly<{ id: string }> }>;

/** A write that queues a message; one that was queued before stays as it is. */
export const queueMessage = (
  { db, business, newId, now }: QueueContext,
  message: NewMessage,
): Write =>
  db
    .insert(messages)
    .values({
      ...message,
      id: newId("msg"),
      businessId: business.id,
      status: "queued",
      nextAttemptAt: now(),
      createdAt: now(),
    })
    .onConflictDoNothing();
