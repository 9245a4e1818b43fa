import { eq, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import { sandboxCharges } from "./tables.ts";

export type SandboxCharge = typeof sandboxCharges.$inferSelect;
export type SandboxStatus = SandboxCharge["status"];

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

    async setStatus(reference: string, status: SandboxStatus): Promise<void> {
      await db
        .update(sandboxCharges)
        .set({ status })
        .where(eq(sandboxCharges.reference, reference));
    },
  };
}
