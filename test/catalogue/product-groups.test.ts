import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue, productRepo } from "../../shared/catalogue/index.ts";
import { allGroups, productGroupsQuery } from "../../shared/catalogue/product-groups-query.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, createBusinessOnSameShard } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const fields = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };

const createCategory = (name: string, parentId: string | null = null) =>
  merchantCatalogue.createCategory(contextFor(shop), { ...fields, name, parentId });

async function createCollection(members: merchantCatalogue.CollectionMembers, owner = shop) {
  const input = { ...fields, name: "Collection", members };
  return (await merchantCatalogue.createCollection(contextFor(owner), input)).collection.id;
}

const listed = (...productIds: string[]): merchantCatalogue.CollectionMembers => ({
  productIds,
  rule: null,
});
const byRule = (...tags: string[]): merchantCatalogue.CollectionMembers => ({
  productIds: null,
  rule: { tags },
});

/** The groups of each product, in the order of the ids. */
async function findGroups(...ids: string[]) {
  const { products } = await productRepo(contextFor(shop)).findWithComponents(ids, {
    groups: allGroups,
  });
  const groups = new Map(products.map(({ id, groupIds }) => [id, groupIds.toSorted()]));
  return ids.map((id) => groups.get(id));
}

describe("productGroupsQuery", () => {
  it("returns the product's category and its ancestors", async () => {
    const [root, other] = [await createCategory("Drinks"), await createCategory("Food")];
    const middle = await createCategory("Hot", root.id);
    const own = await createCategory("Tea", middle.id);
    await createCategory("Green", own.id);
    const [tea, plain] = [
      await createProduct(shop, { categoryId: own.id }),
      await createProduct(shop),
    ];
    const path = [own.id, middle.id, root.id].toSorted();
    expect(await findGroups(tea.id, plain.id)).toEqual([path, []]);
    await merchantCatalogue.updateCategory(contextFor(shop), middle.id, { parentId: other.id });
    expect(await findGroups(tea.id)).toEqual([[own.id, middle.id, other.id].toSorted()]);
    await merchantCatalogue.archiveCategory(contextFor(shop), own.id);
    expect(await findGroups(tea.id)).toEqual([[middle.id, other.id].toSorted()]);
  });

  it("returns the collections that list the product", async () => {
    const [a, b] = [await createProduct(shop), await createProduct(shop)];
    const [both, one] = [
      await createCollection(listed(a.id, b.id)),
      await createCollection(listed(a.id)),
    ];
    expect(await findGroups(a.id, b.id)).toEqual([[both, one].toSorted(), [both]]);
    await merchantCatalogue.updateCollection(contextFor(shop), one, { members: listed(b.id) });
    await merchantCatalogue.archiveCollection(contextFor(shop), both);
    expect(await findGroups(a.id, b.id)).toEqual([[], [one]]);
  });

  it("returns the collections by rule whose tags the product has", async () => {
    const product = await createProduct(shop, { tags: ["hot", "local", "green"] });
    const [one, two, three] = [
      await createCollection(byRule("local")),
      await createCollection(byRule("green", "hot")),
      await createCollection(byRule("hot", "local", "green")),
    ];
    await createCollection(byRule("Local"));
    await createCollection(byRule("hot", "cold"));
    await createCollection(byRule("cold", "hot"));
    expect(await findGroups(product.id)).toEqual([[one, two, three].toSorted()]);
    await merchantCatalogue.updateProduct(contextFor(shop), product.id, { tags: ["hot", "green"] });
    expect(await findGroups(product.id)).toEqual([[two]]);
    await merchantCatalogue.updateCollection(contextFor(shop), two, { members: byRule("green") });
    await merchantCatalogue.updateCollection(contextFor(shop), three, {
      members: byRule("hot", "green"),
    });
    expect(await findGroups(product.id)).toEqual([[two, three].toSorted()]);
    await merchantCatalogue.updateCollection(contextFor(shop), three, { members: listed() });
    await merchantCatalogue.archiveCollection(contextFor(shop), two);
    expect(await findGroups(product.id)).toEqual([[]]);
  });

  it("returns the same groups for an inactive product", async () => {
    const category = await createCategory("Tea");
    const product = await createProduct(shop, { categoryId: category.id, tags: ["a", "b"] });
    const [first, second, third] = [
      await createCollection(listed(product.id)),
      await createCollection(byRule("b")),
      await createCollection(byRule("a", "b")),
    ];
    await createCollection(byRule("a", "c"));
    const groups = [category.id, first, second, third].toSorted();
    expect(await findGroups(product.id)).toEqual([groups]);
    await merchantCatalogue.updateProduct(contextFor(shop), product.id, { isActive: false });
    expect(await findGroups(product.id)).toEqual([groups]);
  });

  it("does not return another business's groups", async () => {
    const other = await createBusinessOnSameShard(shop);
    const product = await createProduct(shop, { tags: ["a", "b"] });
    await createCollection(byRule("a"), other);
    await createCollection(byRule("a", "b"), other);
    const foreign = await createCollection(listed(), other);
    await selectRows(
      shop,
      "insert into collection_products (collection_id, product_id, position) values (?, ?, 0)",
      ...[foreign, product.id],
    );
    expect(await findGroups(product.id)).toEqual([[]]);
  });
});

it("reads only rows found by the product's keys", async () => {
  const { db, business } = contextFor(shop);
  const ids = sql`select value from json_each(${'["prod_1"]'})`;
  const { sql: text, params } = productGroupsQuery(db, business, ids, allGroups).toSQL();
  const plan = await selectRows(shop, `explain query plan ${text}`, ...params);
  const steps = plan.map(({ detail }) => String(detail));
  const byKey =
    /^SEARCH .*(?:\(id=\?\)|\(product_id=\?(?: AND facet>\? AND facet<\?)?\)|collections_by_(?:one|first)_tag \(business_id=\? AND <expr>=\?\))$/;
  const isNoTable =
    /^SCAN .*VIRTUAL TABLE|^SCAN (?:CONSTANT ROW|above|product_group|chosen|of_categories|of_collections)$/;
  const reads = steps.filter((step) => /^(?:SEARCH|SCAN) /.test(step));
  expect(reads.filter((step) => byKey.test(step))).toHaveLength(10);
  expect(reads.filter((step) => !byKey.test(step) && !isNoTable.test(step))).toEqual([]);
});
