import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  productRecordQueries,
  toProductRecords,
} from "../../catalogue/index.ts";
import { isRowOfBusiness } from "../../database/index.ts";
import type { BookableService } from "../slots/slot-offer.ts";
import { services } from "../tables.ts";
import { toService } from "./service-repo.ts";
import {
  resourcesOfService,
  staffAndResourceQueries,
  toServiceResources,
} from "./service-resources-query.ts";

/**
 * Finds a service that can be booked, by its id or the id of its product, in one round trip.
 * Returns null for any other id.
 */
export async function findBookableService(
  reader: CatalogueReader,
  id: string,
): Promise<AtVersion<BookableService | null>> {
  const { version, data } = await loadBookableServices(
    reader,
    or(eq(services.id, id), eq(services.productId, id)),
  );
  return { version, data: data[0] ?? null };
}

/** Lists all services that can be booked, oldest first, in one round trip. */
export const listBookableServices = (
  reader: CatalogueReader,
): Promise<AtVersion<BookableService[]>> => loadBookableServices(reader, undefined);

/**
 * Also reads the table products of the catalogue, because only services of active products can be
 * booked.
 */
async function loadBookableServices(
  reader: CatalogueReader,
  condition: SQL | undefined,
): Promise<AtVersion<BookableService[]>> {
  const { db, business } = reader;
  const isBookable = and(
    condition
      ? and(isRowOfBusiness(services.businessId, business), condition)
      : eq(services.businessId, business.id),
    sql`exists (select 1 from products as offered where offered.id = ${services.productId}
      and offered.is_active = 1 and offered.archived_at is null)`,
  );
  const [[version], rows, staffRows, resourceRows, ...productRows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db.select().from(services).where(isBookable).orderBy(asc(services.id)),
    ...staffAndResourceQueries(reader, isBookable),
    ...productRecordQueries(
      reader,
      sql`(select ${services.productId} from ${services} where ${isBookable})`,
    ),
  ]);
  const products = new Map(
    toProductRecords(productRows).map(({ product }) => [product.id, product]),
  );
  const resources = toServiceResources([staffRows, resourceRows]);
  return {
    version: version?.version ?? 0,
    data: rows.flatMap((row) => {
      const service = toService(row);
      const product = products.get(service.productId);
      return product ? [{ service, product, ...resourcesOfService(service, resources) }] : [];
    }),
  };
}
