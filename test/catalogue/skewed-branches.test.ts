import { expect, it } from "vitest";
import { listingRepo, type PageStart } from "../../shared/catalogue/index.ts";
import { noFilters } from "../storefront/catalogue-stock.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

const small = 50;
const ofEachSmall = 2;
const ofLarge = 1_000;
const reach = 200;

/** A category with many small ones below it and one large one; all but every hundredth product is featured. */
async function givenBranch() {
  const shop = await givenBusiness();
  const { id } = shop.business;
  await rowsOf(
    shop,
    `with recursive counted (n) as (select 0 union all select n + 1 from counted where n <= ?2)
     insert into categories (id, business_id, name, slug, description, parent_id, sort_order,
       metadata, created_at, updated_at)
     select ?1 || '_c' || n, ?1, n, 'c' || n, '', iif(n, ?1 || '_c0', null), 0, '{}', 0, 0 from counted`,
    id,
    small,
  );
  await rowsOf(
    shop,
    `with recursive counted (n) as (select 0 union all select n + 1 from counted where n + 1 < ?2)
     insert into products (id, business_id, name, slug, description, category_id, default_price_minor,
       product_type, inventory_type, is_active, is_featured, tags, properties, images, variant_axes,
       add_ons, popularity, created_at, updated_at)
     select ?1 || printf('_%04d', n), ?1, printf('%04d', n), printf('%04d', n), '',
       ?1 || '_c' || iif(n < ${ofLarge}, 0, 1 + n % ${small}), 100, 'product', 'none', 1,
       n % 100 <> 99, '[]', '{}', '[]', '[]', '[]', 0, n, 0 from counted`,
    id,
    ofLarge + small * ofEachSmall,
  );
  return { shop, categoryId: `${id}_c0` };
}

it.each(["created_at", "price"] as const)(
  "a filtered branch by %s is read in steps that its small categories do not shorten",
  async (by) => {
    const { shop, categoryId } = await givenBranch();
    const { list } = listingRepo(contextFor(shop));
    const filters = { ...noFilters, categoryId, isFeatured: false };
    const query = { filters, sort: { by, direction: "desc" }, limit: 20, reach } as const;
    const found: string[] = [];
    let pages = 0;
    for (let start: PageStart | null = { offset: 0 }; start !== null; pages += 1) {
      const { data } = await list({ ...query, start });
      found.push(...data.items.map(({ name }) => name));
      start = data.next && { after: data.next };
    }
    expect(found).toEqual(
      Array.from({ length: 11 }, (_, at) => String(1_099 - 100 * at).padStart(4, "0")),
    );
    // What the small ones leave of each step is the large one's.
    expect(pages).toBeLessThanOrEqual(Math.ceil(ofLarge / (reach - small * ofEachSmall)) + 1);
  },
);
