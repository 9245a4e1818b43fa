import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, instant, minorUnits, oneOf } from "../database/columns.ts";
import { type DifferenceKind, differenceKinds } from "./difference.ts";
import type { ReconciliationPosition } from "./position.ts";

/** How far the books of each provider account have been compared, stored in CORE. */
export const reconciliations = sqliteTable(
  "reconciliations",
  {
    account: text("account").primaryKey(),
    /** The business whose own account it is; null for an account of the deployment. */
    businessId: text("business_id"),
    /** Where the run in progress continues; null between two runs. */
    position: document<ReconciliationPosition>("position"),
    /** Everything that the provider created before this time was compared. */
    reconciledUntil: instant("reconciled_until"),
    /** When a run begins or continues. A claim moves it on, so that others skip the account. */
    dueAt: instant("due_at").notNull(),
  },
  (t) => [
    index("reconciliations_due").on(t.dueAt),
    index("reconciliations_of_business").on(t.businessId).where(sql`business_id is not null`),
  ],
);

/** What a run found and could not mend, stored in CORE. */
export const reconciliationDifferences = sqliteTable(
  "reconciliation_differences",
  {
    id: text("id").primaryKey(),
    account: text("account").notNull(),
    kind: text("kind").$type<DifferenceKind>().notNull(),
    entry: text("entry").notNull(),
    reference: text("reference"),
    businessId: text("business_id"),
    orderId: text("order_id"),
    expectedMinor: minorUnits("expected_minor"),
    expectedCurrency: text("expected_currency"),
    reportedMinor: minorUnits("reported_minor"),
    reportedCurrency: text("reported_currency"),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (t) => [
    // A later run that finds the same difference updates it.
    uniqueIndex("reconciliation_differences_entry").on(t.account, t.kind, t.entry),
    index("reconciliation_differences_seen").on(t.lastSeenAt),
    index("reconciliation_differences_of_business")
      .on(t.businessId)
      .where(sql`business_id is not null`),
    check("reconciliation_differences_kind", oneOf(t.kind, differenceKinds)),
  ],
);
