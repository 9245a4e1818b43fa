import { and, sql } from "drizzle-orm";
import type { Product } from "../../catalogue/index.ts";
import {
  batchedRead,
  type Context,
  createPrefetch,
  isRowOfBusiness,
  knownPrefetch,
  type Prefetch,
} from "../../database/index.ts";
import type { BookableService } from "../slots/slot-offer.ts";
import { services } from "../tables.ts";
import { toService } from "./service-repo.ts";
import {
  resourcesOfService,
  staffAndResourceQueries,
  toServiceResources,
} from "./service-resources-query.ts";

/** The services of products, read in the same round trip as the products. */
export type ServicePrefetch = Readonly<{
  prefetch: Prefetch;
  /** Returns the services by product id. Products that are not services have no entry. */
  find: (products: ReadonlyMap<string, Product>) => Promise<ReadonlyMap<string, BookableService>>;
}>;

/** Prepares the query for the services of these products. Without product ids there is no query. */
export function prefetchServices(
  ctx: Pick<Context, "db" | "business">,
  productIds: readonly string[],
): ServicePrefetch {
  if (productIds.length === 0) return { prefetch: knownPrefetch([]), find: async () => new Map() };
  const { db, business } = ctx;
  const isOfProducts = sql`${services.productId} in (select value from json_each(${JSON.stringify(productIds)}))`;
  const [staff, resources] = staffAndResourceQueries(ctx, isOfProducts);
  const serviceQuery = db
    .select()
    .from(services)
    .where(and(isOfProducts, isRowOfBusiness(services.businessId, business)));
  const prefetch = createPrefetch(db, () =>
    batchedRead([serviceQuery, staff, resources], (rows) => rows),
  );
  return {
    prefetch,
    async find(products) {
      const [serviceRows, ...resourceRows] = await prefetch.load();
      const allResources = toServiceResources(resourceRows);
      return new Map(
        serviceRows.flatMap((row) => {
          const service = toService(row);
          const product = products.get(service.productId);
          return product
            ? [[product.id, { service, product, ...resourcesOfService(service, allResources) }]]
            : [];
        }),
      );
    },
  };
}
