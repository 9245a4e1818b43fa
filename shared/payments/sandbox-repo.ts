import { and, eq, sql } from "drizzle-orm";
import { type Db, messageOf } from "../database/index.ts";
import { sandboxCharges, sandboxRefunds } from "./tables.ts";

export type SandboxCharge = typeof sandboxCharges.$inferSelect;
export type SandboxStatus = SandboxCharge["status"];
export type SandboxRefund = typeof sandboxRefunds.$inferSelect;

/** The sandbox provider's own books, as a real provider keeps them on its side. */
export function sandboxRepo(db: Db) {
  return {
    async find(reference: string): Promise<SandboxCharge | null> {
      const [charge] = await db
        .select()
        .from(sandboxCharges)
        .where(eq(sandboxCharges.reference, reference));
      return charge ?? null;
    },

    async countOf(orderId: string): Promise<number> {
      const [row] = await db
        .select({ charges: sql<number>`count(*)` })
        .from(sandboxCharges)
        .where(eq(sandboxCharges.orderId, orderId));
      return row?.charges ?? 0;
    },

    /** The charge as it stands: of two with one reference, the first is kept. */
    async insert(charge: SandboxCharge): Promise<void> {
      await db.insert(sandboxCharges).values(charge).onConflictDoNothing();
    },

    /** Moves a charge on from where it was; one that moved meanwhile stays as it stands. */
    async move(reference: string, { from, to }: { from: SandboxStatus; to: SandboxStatus }) {
      await db
        .update(sandboxCharges)
        .set({ status: to })
        .where(and(eq(sandboxCharges.reference, reference), eq(sandboxCharges.status, from)));
    },

    async findRefund(refundId: string): Promise<SandboxRefund | null> {
      const [refund] = await db
        .select()
        .from(sandboxRefunds)
        .where(eq(sandboxRefunds.refundId, refundId));
      return refund ?? null;
    },

    /** Books a refund; false when its id is taken, or it goes beyond what is left of the charge. */
    async refund(refund: SandboxRefund): Promise<boolean> {
      const refunded = sql`${sandboxCharges.refundedMinor} + ${refund.amountMinor}`;
      try {
        await db.batch([
          db.insert(sandboxRefunds).values(refund),
          db
            .update(sandboxCharges)
            .set({
              refundedMinor: refunded,
              status: sql`case when ${refunded} = ${sandboxCharges.amountMinor} then 'refunded' else ${sandboxCharges.status} end`,
            })
            .where(eq(sandboxCharges.reference, refund.reference)),
        ]);
        return true;
      } catch (error) {
        if (/constraint failed/i.test(messageOf(error))) return false;
        throw error;
      }
    },
  };
}
