import { and, eq, sql } from "drizzle-orm";
import { type Db, isConstraintFailure } from "../database/index.ts";
import { sandboxCharges, sandboxRefunds } from "./tables.ts";

export type SandboxCharge = typeof sandboxCharges.$inferSelect;
export type SandboxStatus = SandboxCharge["status"];
type SandboxRefund = typeof sandboxRefunds.$inferSelect;

/** The charges and refunds of the test-mode provider. A real provider stores its own. */
export function sandboxRepo(db: Db) {
  return {
    async find(reference: string): Promise<SandboxCharge | null> {
      const [charge] = await db
        .select()
        .from(sandboxCharges)
        .where(eq(sandboxCharges.reference, reference));
      return charge ?? null;
    },

    async countByOrder(orderId: string): Promise<number> {
      const [row] = await db
        .select({ charges: sql<number>`count(*)` })
        .from(sandboxCharges)
        .where(eq(sandboxCharges.orderId, orderId));
      return row?.charges ?? 0;
    },

    /** Inserts a charge. Returns false when one with this reference exists. */
    async insert(charge: SandboxCharge): Promise<boolean> {
      const { meta } = await db.insert(sandboxCharges).values(charge).onConflictDoNothing();
      return meta.changes > 0;
    },

    /**
     * Changes the status from `from` to `to`. Does nothing when the charge has another status by
     * now.
     */
    async changeStatus(
      reference: string,
      { from, to }: { from: SandboxStatus; to: SandboxStatus },
    ) {
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

    /**
     * Inserts a refund. Returns false when its id exists, or when it exceeds what is left of the
     * charge.
     */
    async insertRefund(refund: SandboxRefund): Promise<boolean> {
      const refundedMinor = sql`${sandboxCharges.refundedMinor} + ${refund.amountMinor}`;
      try {
        await db.batch([
          db.insert(sandboxRefunds).values(refund),
          db
            .update(sandboxCharges)
            .set({
              refundedMinor: refundedMinor,
              status: sql`case when ${refundedMinor} = ${sandboxCharges.amountMinor} then 'refunded' else ${sandboxCharges.status} end`,
            })
            .where(eq(sandboxCharges.reference, refund.reference)),
        ]);
        return true;
      } catch (error) {
        if (isConstraintFailure(error)) return false;
        throw error;
      }
    },
  };
}
