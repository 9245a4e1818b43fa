import type { ConversationCopy } from "../../../../shared/support/index.ts";

/**
 * How long the first conversation waits for others of its business, with which it shares one batch.
 */
export const gatherMs = 100;

/** A copy that is not written after this time is given up. Its object may have crashed. */
const lostAfterMs = 10_000;

/** A copy with so many takes no more. The last conversation that joins may exceed the numbers. */
const maxConversations = 100;
const maxEvents = 500;
const maxAuditEntries = 200;

/**
 * Conversations of one business that one of them copies in one batch. The others see in its status
 * whether it was written, because an object cannot await a promise of another one.
 */
export type SharedCopy = {
  readonly copies: ConversationCopy[];
  readonly startedAt: number;
  status: "unwritten" | "written" | "failed" | "business_deleted";
};

/** The copies that conversations of this isolate may still join, by business. */
const gathering = new Map<string, SharedCopy>();

export const createSharedCopy = (copy: ConversationCopy, now: number): SharedCopy => ({
  copies: [copy],
  startedAt: now,
  status: "unwritten",
});

/**
 * Adds a conversation to the copy of its business. The first one has to call `closeSharedCopy` after
 * `gatherMs`, and then to write the copy.
 */
export function joinSharedCopy(
  businessId: string,
  copy: ConversationCopy,
  now: number,
): Readonly<{ shared: SharedCopy; isFirst: boolean }> {
  const existing = gathering.get(businessId);
  if (existing && isOpen(existing, now)) {
    existing.copies.push(copy);
    return { shared: existing, isFirst: false };
  }
  const shared = createSharedCopy(copy, now);
  gathering.set(businessId, shared);
  return { shared, isFirst: true };
}

export function closeSharedCopy(businessId: string, shared: SharedCopy): void {
  if (gathering.get(businessId) === shared) gathering.delete(businessId);
}

/**
 * Whether another conversation may join. Checks the time too, because the object that began the copy
 * may have crashed before it closed it.
 */
function isOpen({ copies, startedAt }: SharedCopy, now: number): boolean {
  const count = (list: "events" | "auditEntries") =>
    copies.reduce((sum, copy) => sum + copy[list].length, 0);
  return (
    Math.abs(now - startedAt) < gatherMs &&
    copies.length < maxConversations &&
    count("events") < maxEvents &&
    count("auditEntries") < maxAuditEntries
  );
}

/**
 * Whether the copy is so old that its conversations stop waiting for it. They may copy again, because
 * an older copy never replaces a newer one.
 */
export const isLost = ({ startedAt }: SharedCopy, now: number): boolean =>
  Math.abs(now - startedAt) > lostAfterMs;
