import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import {
  type AtVersion,
  type CatalogueReader,
  ownRow,
  recordQueries,
  recordsFrom,
  versionQuery,
} from "../../catalogue/index.ts";
import { meansFrom, meansOf, meansQueries } from "../services/service-means-repo.ts";
import { serviceFromRow } from "../services/service-repo.ts";
import { services } from "../tables.ts";
import type { Bookable } from "./bookable.ts";

/** A service that can be booked, by its own id or its product's, in one round trip; null when there is none. */
export async function findBookable(
  reader: CatalogueReader,
  id: string,
): Promise<AtVersion<Bookable | null>> {
  const { version, data } = await read(reader, or(eq(services.id, id), eq(services.productId, id)));
  return { version, data: data[0] ?? null };
}

/** Every service that can be booked, in the order of their making, in one round trip. */
export const findBookables = (reader: CatalogueReader): Promise<AtVersion<Bookable[]>> =>
  read(reader, undefined);

async function read(
  reader: CatalogueReader,
  chosen: SQL | undefined,
): Promise<AtVersion<Bookable[]>> {
  const { db, business } = reader;
  const offered = and(
    chosen
      ? and(ownRow(services.businessId, business), chosen)
      : eq(services.businessId, business.id),
    sql`exists (select 1 from products as offered where offered.id = ${services.productId}
      and offered.is_active = 1 and offered.archived_at is null)`,
  );
  const [[version], rows, staff, resources, ...productRows] = await db.batch([
    versionQuery(db, business.id),
    db.select().from(services).where(offered).orderBy(asc(services.id)),
    ...meansQueries(reader, offered),
    ...recordQueries(reader, sql`(select ${services.productId} from ${services} where ${offered})`),
  ]);
  const products = new Map(recordsFrom(productRows).map(({ product }) => [product.id, product]));
  const means = meansFrom([staff, resources]);
  return {
    version: version?.version ?? 0,
    data: rows.flatMap((row) => {
      const service = serviceFromRow(row);
      const product = products.get(service.productId);
      return product ? [{ service, product, ...meansOf(service, means) }] : [];
    }),
  };
}
