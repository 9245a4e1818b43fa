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
  /** The domain record before the change; null for a new one. */
  before: unknown;
  after: unknown;
  at: number;
}>;

export type AuditFilter = Readonly<{
  actor?: string | undefined;
  entity?: string | undefined;
  /** Both ends are included. */
  from?: number | undefined;
  to?: number | undefined;
}>;

type AuditContext = Readonly<{ db: Context["db"]; business: Readonly<{ id: string }> }>;

/** The audit trail of one business. */
export function auditRepo({ db, business }: AuditContext) {
  return {
    /** Newest first; `before` is the position of the last entry of the previous page. */
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
     * Inserts at most 10 entries, because of D1's parameter limit. Their ids are chosen by the
     * caller, so that a repeat inserts none.
     */
    add: (entries: readonly AuditEntry[]): Write =>
      db
        .insert(auditEntries)
        .values(entries.map((entry) => ({ ...entry, businessId: business.id })))
        .onConflictDoNothing(),

    /**
     * Erases the person's data before and after each change; who changed which record and when
     * remains.
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
