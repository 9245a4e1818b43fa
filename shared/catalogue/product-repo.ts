import { type AnyColumn, and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import type { OfferedProduct } from "./plans/offered-product.ts";
import { planFrom, plansOfProductsQuery } from "./plans/plans-of-products-repo.ts";
import type { Product, Variant } from "./product.ts";
import { type GroupsAsked, groupsOfProductsQuery, noGroups } from "./product-group-repo.ts";
import { bundles, catalogueVersions, composites, products, productVariants } from "./tables.ts";

export type ProductRow = typeof products.$inferSelect;
export type VariantRow = typeof productVariants.$inferSelect;
export type BundleRow = typeof bundles.$inferSelect;
export type CompositeRow = typeof composites.$inferSelect;

/** Products read whole, with the version of the catalogue that they were read at. */
export type ReadProducts = Readonly<{ version: number; products: readonly OfferedProduct[] }>;

/** What is read besides: other statements in the same round trip, and the products' groups. */
type Along<Q> = Readonly<{ companions?: readonly Q[]; groups?: GroupsAsked }>;

/** Products of one business: there is no way to ask for another's. */
export function productRepo({ db, business }: { db: Db; business: { id: string } }) {
  /**
   * One round trip for any number of products; inactive ones are included, archived ones not.
   * `ids` is a query of ids; `ownRow` keeps the planner from walking the whole business instead.
   */
  async function read<Q extends Write = Write>(
    ids: SQL,
    { companions = [], groups = noGroups }: Along<Q> = {},
  ): Promise<ReadProducts & { companions: readonly Q["_"]["result"][] }> {
    const chosen = rowsOfProducts(ids, business);
    const [version, rows, variants, bundleRows, compositeRows, planRows, groupRows, ...answers] =
      await db.batch([
        versionQuery(db, business.id),
        db.select().from(products).where(chosen.products),
        db
          .select()
          .from(productVariants)
          .where(chosen.variants)
          .orderBy(asc(productVariants.position)),
        db.select().from(bundles).where(chosen.bundles),
        db.select().from(composites).where(chosen.composites),
        plansOfProductsQuery(db, business, ids),
        groupsOfProductsQuery(db, business, ids, groups),
        ...companions,
      ]);
    const plans = planRows.map(planFrom);
    const read = { variants, bundles: bundleRows, composites: compositeRows };
    const standing = Map.groupBy(groupRows, ({ productId }) => productId);
    return {
      version: version[0]?.version ?? 0,
      products: rows.map((row) => ({
        ...productFromRows(row, read),
        billingPlans: plans.filter(({ id }) => row.billingPlanIds.includes(id)),
        groupIds: (standing.get(row.id) ?? []).map(({ groupId }) => groupId),
      })),
      companions: answers,
    };
  }

  return {
    /**
     * The products of `ids`, and of the bundles and composites among them the components' products.
     * The companions are other reads that go along in the same round trip.
     */
    findWithComponents(ids: readonly string[], along?: Along<Write>) {
      const wanted = sql`select value from json_each(${JSON.stringify(ids)})`;
      return read(componentsToo(wanted), along);
    },

    /** As `findWithComponents`, for a query of ids; the companion is made from one of all that is read. */
    async findChosen<Q extends Write>(chosen: SQL, companionFor: (productIds: SQL) => Q) {
      const productIds = componentsToo(chosen);
      const { companions, ...found } = await read(productIds, {
        companions: [companionFor(productIds)],
      });
      return { ...found, companion: companions[0] };
    },

    /** A composite's product and its components' products. */
    findOfComposite(compositeId: string): Promise<ReadProducts> {
      return read(
        componentsToo(sql`select ${composites.productId} from ${composites}
          where ${composites.id} = ${compositeId} and ${ownRow(composites.businessId, business)}`),
      );
    },
  };
}

/** The row is the business's: a condition on a row that is found by its id, never the way to find it. */
export const ownRow = (owner: AnyColumn, business: { id: string }): SQL =>
  sql`+${owner} = ${business.id}`;

/** The conditions on the rows that products are made of; `ids` is a query of their ids. */
export const rowsOfProducts = (ids: SQL, business: { id: string }) => ({
  products: and(
    sql`${products.id} in (${ids})`,
    ownRow(products.businessId, business),
    isNull(products.archivedAt),
  ),
  variants: and(
    sql`${productVariants.productId} in (${ids})`,
    ownRow(productVariants.businessId, business),
    isNull(productVariants.archivedAt),
  ),
  bundles: and(sql`${bundles.productId} in (${ids})`, ownRow(bundles.businessId, business)),
  composites: and(
    sql`${composites.productId} in (${ids})`,
    ownRow(composites.businessId, business),
  ),
});

/** The wanted ids, and those of what the bundles and composites among them are built of. */
export const componentsToo = (wanted: SQL) => sql`${wanted}
  union
  select json_extract(part.value, '$.productId') from ${bundles}, json_each(${bundles.components}) as part
  where ${bundles.productId} in (${wanted})
  union
  select json_extract(part.value, '$.productId')
  from ${composites}, json_each(${composites.groups}) as grp, json_each(grp.value, '$.components') as part
  where ${composites.productId} in (${wanted})`;

/** The number that every catalogue write raises (architecture.md, Where data lives). */
export const versionQuery = (db: Db, businessId: string) =>
  db
    .select({ version: catalogueVersions.version })
    .from(catalogueVersions)
    .where(eq(catalogueVersions.businessId, businessId));

/** Goes into the batch of every catalogue write, so that no answer is cached past it. */
export const raiseVersion = ({ db, business }: Pick<Context, "db" | "business">): Write =>
  db
    .insert(catalogueVersions)
    .values({ businessId: business.id, version: 1 })
    .onConflictDoUpdate({
      target: catalogueVersions.businessId,
      set: { version: sql`${catalogueVersions.version} + 1` },
    });

export function productFromRows(
  row: ProductRow,
  read: {
    variants: readonly VariantRow[];
    bundles: readonly BundleRow[];
    composites: readonly CompositeRow[];
  },
): Product {
  const { businessId: _, archivedAt: __, importedColumns: ___, popularity: ____, ...product } = row;
  return {
    ...product,
    variants: read.variants.filter(({ productId }) => productId === row.id).map(variantFromRow),
    bundle: withoutBusiness(read.bundles.find(({ productId }) => productId === row.id)),
    composite: withoutBusiness(read.composites.find(({ productId }) => productId === row.id)),
  };
}

export function variantFromRow(row: VariantRow): Variant {
  const { businessId: _, archivedAt: __, importedColumns: ___, position: ____, ...variant } = row;
  return variant;
}

function withoutBusiness<R extends { businessId: string }>(
  row: R | undefined,
): Omit<R, "businessId"> | null {
  if (!row) return null;
  const { businessId: _, ...record } = row;
  return record;
}
