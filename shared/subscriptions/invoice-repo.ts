import { and, desc, eq, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import type { Invoice } from "./invoice.ts";
import { subscriptionInvoices } from "./tables.ts";

export type InvoiceRow = typeof subscriptionInvoices.$inferSelect;

const maxRecentInvoices = 12;

/** Invoices of a business's subscriptions. The queries are statements for a batch. */
export function invoiceRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(subscriptionInvoices.businessId, business.id);

  return {
    /** A subscription's recent invoices, newest first. */
    selectRecent: (subscriptionId: string) =>
      db
        .select()
        .from(subscriptionInvoices)
        .where(and(own, eq(subscriptionInvoices.subscriptionId, subscriptionId)))
        .orderBy(desc(subscriptionInvoices.cycle))
        .limit(maxRecentInvoices),

    /** The invoice of a subscription that the order pays. */
    selectOfOrder: (subscriptionId: string, orderId: string) =>
      db
        .select()
        .from(subscriptionInvoices)
        .where(
          and(
            own,
            eq(subscriptionInvoices.subscriptionId, subscriptionId),
            eq(subscriptionInvoices.orderId, orderId),
          ),
        ),

    selectOldestOpen: (subscriptionId: string) =>
      db
        .select()
        .from(subscriptionInvoices)
        .where(
          and(
            own,
            eq(subscriptionInvoices.subscriptionId, subscriptionId),
            eq(subscriptionInvoices.status, "open"),
          ),
        )
        .orderBy(subscriptionInvoices.cycle)
        .limit(1),

    insert(invoices: readonly Invoice[]): Write {
      const rows = JSON.stringify(invoices);
      return db.insert(subscriptionInvoices).select(sql`
        select value ->> 'id', ${business.id}, value ->> 'subscriptionId', value ->> 'cycle',
          value ->> 'orderId', value ->> 'status', value ->> 'amountMinor', value ->> 'currency',
          value ->> 'periodStart', value ->> 'periodEnd', value ->> 'createdAt', value ->> 'paidAt'
        from json_each(${rows})`);
    },

    /** Stores whether an invoice was paid. */
    settle: (
      { id }: Pick<Invoice, "id">,
      { status, paidAt }: Pick<Invoice, "status" | "paidAt">,
    ): Write =>
      db
        .update(subscriptionInvoices)
        .set({ status, paidAt })
        .where(and(own, eq(subscriptionInvoices.id, id))),
  };
}

export const toInvoice = ({ businessId: _, ...invoice }: InvoiceRow): Invoice => invoice;
