import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";
import type { DataSubject } from "./personal-data.ts";
import { auditEntries } from "./tables.ts";

export type AuditEntry = Readonly<{
  id: string;
  actor: string;
  action: string;
  entity: string;
  /** The record before the change; null for a new record. */
  before: unknown;
  after: unknown;
  at: number;
}>;

export type AuditFilter = Readonly<{
  actor?: string | undefined;
  entity?: string | undefined;
  /** The first and the last time to list; entries at these times are included. */
  from?: number | undefined;
  to?: number | undefined;
}>;

type AuditContext = Readonly<{ db: Context["db"]; business: Readonly<{ id: string }> }>;

/** Reads and writes the audit trail of one business. */
export function auditRepo({ db, business }: AuditContext) {
  return {
    /**
     * Lists entries newest first. `before` is the position of the last entry of the previous page.
     */
    async list(
      { actor, entity, from, to }: AuditFilter,
      { limit, before }: { limit: number; before: { at: number; id: string } | null },
    ): Promise<AuditEntry[]> {
      const rows = await db
        .select()
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.businessId, business.id),
            actor === undefined ? undefined : eq(auditEntries.actor, actor),
            entity === undefined ? undefined : eq(auditEntries.entity, entity),
            from === undefined ? undefined : gte(auditEntries.at, from),
            to === undefined ? undefined : lte(auditEntries.at, to),
            before === null
              ? undefined
              : sql`(${auditEntries.at}, ${auditEntries.id}) < (${before.at}, ${before.id})`,
          ),
        )
        .orderBy(desc(auditEntries.at), desc(auditEntries.id))
        .limit(limit);
      return rows.map(({ businessId: _, ...entry }) => entry);
    },

    /**
     * Inserts at most 10 entries, because of D1's parameter limit. The caller chooses the ids, so
     * that a repeated call inserts no entry twice.
     */
    add: (entries: readonly AuditEntry[]): Write =>
      db
        .insert(auditEntries)
        .values(entries.map((entry) => ({ ...entry, businessId: business.id })))
        .onConflictDoNothing(),

    /**
     * Erases the person's data from the records before and after each change. Who changed which
     * record and when remains.
     */
    erase: ({ customerId, orderIds }: DataSubject): Write[] =>
      [sql`(${customerId})`, orderIds].map((entities) =>
        db
          .update(auditEntries)
          .set({ before: null, after: null })
          .where(
            and(
              eq(auditEntries.businessId, business.id),
              sql`${auditEntries.entity} in ${entities}`,
            ),
          ),
      ),
  };
}
