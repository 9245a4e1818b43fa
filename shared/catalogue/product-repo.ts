import { and, asc, type SQL, sql } from "drizzle-orm";
import { isRowOfBusiness, prepareReads, type Write } from "../database/index.ts";
import {
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "./catalogue-version-repo.ts";
import { productPlansQuery, toBillingPlan } from "./plans/billing-plan-repo.ts";
import type { OfferedProduct } from "./product.ts";
import { productRowConditions, withComponentIds } from "./product-conditions-query.ts";
import { noGroups, type ProductGroupFilter, productGroupsQuery } from "./product-groups-query.ts";
import { toProduct } from "./product-row.ts";
import { bundles, composites, products, productVariants } from "./tables.ts";

/** Complete products, and the catalogue version at which they were read. */
export type ProductsAtVersion = Readonly<{ version: number; products: readonly OfferedProduct[] }>;

type ProductReadOptions<Q> = Readonly<{
  /** Other queries that run in the same round trip. */
  prefetches?: readonly Q[];
  /** Which groups of the products are read; no groups when omitted. */
  groups?: ProductGroupFilter;
}>;

/** Selects the tax classes of products, also of archived ones; `ids` is a query in parentheses. */
export const productTaxClassesQuery = ({ db, business }: CatalogueReader, ids: SQL) =>
  db
    .select({ id: products.id, taxClass: products.taxClass })
    .from(products)
    .where(and(sql`${products.id} in ${ids}`, isRowOfBusiness(products.businessId, business)));

/** Reads complete products of one business; each read is one round trip. */
export function productRepo(reader: CatalogueReader) {
  return {
    /**
     * The products with these ids, and the component products of the bundles and composites among
     * them.
     */
    findWithComponents(ids: readonly string[], options?: ProductReadOptions<Write>) {
      const values = { businessId: reader.business.id, ids: JSON.stringify(ids) };
      const reads = readsByIds(reader.db, values);
      return readProducts(reader, { reads, ids: listedIds(values.ids) }, options);
    },

    /**
     * As `findWithComponents`, but takes a query of ids. `prefetchFor` gets a query of the ids of
     * all products that are read, and returns another query for the same batch.
     */
    async findByQuery<Q extends Write>(ids: SQL, prefetchFor: (productIds: SQL) => Q) {
      const productIds = withComponentIds(ids);
      const { prefetched, ...read } = await readProducts(reader, queriesOf(reader, productIds), {
        prefetches: [prefetchFor(productIds)],
      });
      return { ...read, prefetched: prefetched[0] };
    },

    /** A composite's product and its component products. */
    findByComposite(compositeId: string): Promise<ProductsAtVersion> {
      const ids = sql`select ${composites.productId} from ${composites}
        where ${composites.id} = ${compositeId} and ${isRowOfBusiness(composites.businessId, reader.business)}`;
      return readProducts(reader, queriesOf(reader, withComponentIds(ids)));
    },
  };
}

/**
 * Reads the catalogue version, and products with their parts, including inactive but not archived ones.
 * `ids` is a query of ids.
 */
function productReads({ db, business }: CatalogueReader, ids: SQL) {
  const conditions = productRowConditions(ids, business);
  return [
    catalogueVersionQuery(db, business.id),
    db.select().from(products).where(conditions.products),
    db
      .select()
      .from(productVariants)
      .where(conditions.variants)
      .orderBy(asc(productVariants.position)),
    db.select().from(bundles).where(conditions.bundles),
    db.select().from(composites).where(conditions.composites),
    productPlansQuery(db, business, ids),
  ] as const;
}

const queriesOf = (reader: CatalogueReader, ids: SQL) => ({
  reads: productReads(reader, ids),
  ids,
});

/** The ids of a JSON list, and the ids of their components. */
const listedIds = (ids: string): SQL => withComponentIds(sql`select value from json_each(${ids})`);

const readsByIds = prepareReads((db, { businessId, ids }: { businessId: string; ids: string }) =>
  productReads({ db, business: { id: businessId } }, listedIds(ids)),
);

/** The reads of products, and the query of the ids that they read. */
type ProductQueries = Readonly<{ reads: ReturnType<typeof readsByIds>; ids: SQL }>;

async function readProducts<Q extends Write = Write>(
  { db, business }: CatalogueReader,
  { reads, ids }: ProductQueries,
  { prefetches = [], groups = noGroups }: ProductReadOptions<Q> = {},
): Promise<ProductsAtVersion & { prefetched: readonly Q["_"]["result"][] }> {
  const [
    version,
    rows,
    variantRows,
    bundleRows,
    compositeRows,
    planRows,
    groupRows,
    ...prefetched
  ] = await db.batch([...reads, productGroupsQuery(db, business, ids, groups), ...prefetches]);
  const plans = planRows.map(toBillingPlan);
  const parts = { variants: variantRows, bundles: bundleRows, composites: compositeRows };
  const groupsByProduct = Map.groupBy(groupRows, ({ productId }) => productId);
  return {
    version: parseVersion(version),
    products: rows.map((row) => ({
      ...toProduct(row, parts),
      billingPlans: plans.filter(({ id }) => row.billingPlanIds.includes(id)),
      groupIds: (groupsByProduct.get(row.id) ?? []).map(({ groupId }) => groupId),
    })),
    prefetched,
  };
}
