import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";
import type { Person } from "./personal-data.ts";
import { auditEntries } from "./tables.ts";

export type AuditEntry = Readonly<{
  id: string;
  actor: string;
  action: string;
  entity: string;
  /** The record as the domain keeps it; null where there was none. */
  before: unknown;
  after: unknown;
  at: number;
}>;

export type AuditFilter = Readonly<{
  actor?: string | undefined;
  entity?: string | undefined;
  /** Both ends count. */
  from?: number | undefined;
  to?: number | undefined;
}>;

type AuditScope = Readonly<{ db: Context["db"]; business: Readonly<{ id: string }> }>;

/** Who changed what in this business. */
export function auditRepo({ db, business }: AuditScope) {
  return {
    /** Newest first; `before` is where the last page ended. */
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

    /** Entries whose ids were chosen before, so that a repeat adds none; at most 10, for D1's parameters. */
    add: (entries: readonly AuditEntry[]): Write =>
      db
        .insert(auditEntries)
        .values(entries.map((entry) => ({ ...entry, businessId: business.id })))
        .onConflictDoNothing(),

    /** Who changed what and when stays; how a person's records looked before and after goes. */
    erase: ({ customerId, orderIds }: Person): Write[] =>
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
