import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProductSnapshot } from "../catalogue/index.ts";
import { document, instant, minorUnits } from "../database/columns.ts";
import type { Quote, QuoteSelections } from "./quote.ts";

/** Prices locked for 15 minutes. Rows stay one day longer, so that they can be refreshed. */
export const priceQuotes = sqliteTable(
  "price_quotes",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    productId: text("product_id").notNull(),
    variantId: text("variant_id"),
    locationId: text("location_id"),
    quantity: integer("quantity").notNull(),
    selections: document<QuoteSelections>("selections").notNull(),
    unitPriceMinor: minorUnits("unit_price_minor").notNull(),
    currency: text("currency").notNull(),
    parts: document<Quote["parts"]>("parts").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /**
     * The products from which the price is computed on each read. Null when the row contains the
     * price.
     */
    pricedBy: document<ProductSnapshot>("priced_by"),
  },
  (t) => [
    index("price_quotes_by_expiry").on(t.expiresAt),
    check("price_quotes_quantity", sql`quantity > 0`),
    check("price_quotes_unit_price", sql`unit_price_minor >= 0`),
  ],
);
