import { expect, it } from "vitest";
import { productListing } from "../../shared/catalogue/index.ts";
import { noFilters } from "../storefront/create-catalogue-rows.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";

const smallCategories = 50;
const productsPerSmallCategory = 2;
const productsOfLargeCategory = 1_000;
const scanLimit = 200;

/**
 * A category with many products and many small subcategories. All products but every hundredth are
 * featured.
 */
async function createCategoryTree() {
  const shop = await createBusiness();
  const { id } = shop.business;
  await selectRows(
    shop,
    `with recursive counted (n) as (select 0 union all select n + 1 from counted where n <= ?2)
     insert into categories (id, business_id, name, slug, description, parent_id, sort_order,
       metadata, created_at, updated_at)
     select ?1 || '_c' || n, ?1, n, 'c' || n, '', iif(n, ?1 || '_c0', null), 0, '{}', 0, 0 from counted`,
    id,
    smallCategories,
  );
  await selectRows(
    shop,
    `with recursive counted (n) as (select 0 union all select n + 1 from counted where n + 1 < ?2)
     insert into products (id, business_id, name, slug, description, category_id, default_price_minor,
       product_type, inventory_type, is_active, is_featured, tags, properties, images, variant_axes,
       add_ons, popularity, created_at, updated_at)
     select ?1 || printf('_%04d', n), ?1, printf('%04d', n), printf('%04d', n), '',
       ?1 || '_c' || iif(n < ${productsOfLargeCategory}, 0, 1 + n % ${smallCategories}), 100, 'product', 'none', 1,
       n % 100 <> 99, '[]', '{}', '[]', '[]', '[]', 0, n, 0 from counted`,
    id,
    productsOfLargeCategory + smallCategories * productsPerSmallCategory,
  );
  return { shop, categoryId: `${id}_c0` };
}

it.each(["created_at", "price"] as const)(
  "gives a large category the scan limit that its small subcategories do not use, by %s",
  async (by) => {
    const { shop, categoryId } = await createCategoryTree();
    const ctx = contextFor(shop);
    const filters = { ...noFilters, categoryId, isFeatured: false };
    const query = {
      filters,
      sort: { by, direction: "desc" },
      limit: 20,
      scanLimit: scanLimit,
    } as const;
    const found: string[] = [];
    let pages = 0;
    for (let start: productListing.PageStart | null = { offset: 0 }; start !== null; pages += 1) {
      const { data } = await productListing.listProducts(ctx, { ...query, start });
      found.push(...data.items.map(({ name }) => name));
      start = data.next && { after: data.next };
    }
    expect(found).toEqual(
      Array.from({ length: 11 }, (_, at) => String(1_099 - 100 * at).padStart(4, "0")),
    );
    // The small categories take a fixed part of each page's scan limit; the large one gets the
    // remainder.
    expect(pages).toBeLessThanOrEqual(
      Math.ceil(
        productsOfLargeCategory / (scanLimit - smallCategories * productsPerSmallCategory),
      ) + 1,
    );
  },
);
