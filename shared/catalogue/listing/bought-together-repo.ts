import { desc, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import { boughtTogether, products } from "../tables.ts";
import type { CatalogueReader } from "./listing-repo.ts";

/** Of what was bought with one product, so much is looked at; beyond it, it is chance. */
const maxOthers = 50;

/**
 * The statement that reads what others bought together with one of the products, most often first,
 * with that product; where it could be several, each of them.
 */
export function boughtWithQuery(
  { db, business }: CatalogueReader,
  {
    productIds,
    except,
    limit,
  }: Readonly<{ productIds: readonly string[]; except: readonly string[]; limit: number }>,
) {
  const found = sql`
    with asked (id, place) as materialized (
      select value, key from json_each(${JSON.stringify(productIds)}))
    select pair.other_id, pair.orders, asked.id as with_id, asked.place
    from asked cross join ${boughtTogether} as pair indexed by bought_together_most
    where pair.business_id = ${business.id} and pair.product_id = asked.id and pair.other_id in (
      select one.other_id from ${boughtTogether} as one indexed by bought_together_most
      where one.business_id = ${business.id} and one.product_id = asked.id
      order by one.orders desc limit ${maxOthers})`;
  return db
    .select({
      id: products.id,
      name: products.name,
      withId: sql<string>`found.with_id`.as("with_id"),
    })
    .from(sql`(${found}) as found`)
    .innerJoin(products, sql`${products.id} = found.other_id`)
    .where(
      sql`${products.isActive} = 1 and ${products.archivedAt} is null
        and ${products.id} not in (select value from json_each(${JSON.stringify(except)}))`,
    )
    .orderBy(sql`found.orders desc`, sql`found.place`, desc(products.id))
    .limit(limit);
}

/** Queries of what was sold, in columns of these names. */
export type SoldGoods = Readonly<{
  /** product_id, pieces: each product once. */
  pieces: SQL;
  /** business_id, product_id, other_id, orders: each pair once, both ways round. */
  pairs: SQL;
}>;

/**
 * The statements that add what was sold to what is known of popularity; they have to stand in one
 * batch with whatever marks it as counted. They leave the catalogue's version alone: nothing that it
 * keeps depends on what was sold, and a shop that sells would never find its answers remembered.
 */
export const soldGoodsWrites = (db: Db, { pieces, pairs }: SoldGoods): readonly [Write, Write] => [
  db
    .update(products)
    .set({ popularity: sql`${products.popularity} + sold.pieces` })
    .from(sql`(${pieces}) as sold`)
    .where(sql`${products.id} = sold.product_id`),
  db
    .insert(boughtTogether)
    .select(pairs)
    .onConflictDoUpdate({
      target: [boughtTogether.businessId, boughtTogether.productId, boughtTogether.otherId],
      set: { orders: sql`${boughtTogether.orders} + excluded.orders` },
    }),
];
