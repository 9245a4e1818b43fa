import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  archiveCategory,
  archiveCollection,
  type CollectionMembers,
  createCategory,
  createCollection,
  productRepo,
  updateCategory,
  updateCollection,
  updateProduct,
} from "../../shared/catalogue/index.ts";
import { allGroups, groupsOfProductsQuery } from "../../shared/catalogue/product-group-repo.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const fields = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };

const givenCategory = (name: string, parentId: string | null = null) =>
  createCategory(contextFor(shop), { ...fields, name, parentId });

async function givenCollection(members: CollectionMembers, owner = shop) {
  const made = { ...fields, name: "Collection", members };
  return (await createCollection(contextFor(owner), made)).collection.id;
}

const listing = (...productIds: string[]): CollectionMembers => ({ productIds, rule: null });
const ruled = (...tags: string[]): CollectionMembers => ({ productIds: null, rule: { tags } });

/** The groups of each product, in the order of the ids. */
async function groupsOf(...ids: string[]) {
  const { products } = await productRepo(contextFor(shop)).findWithComponents(ids, {
    groups: allGroups,
  });
  const groups = new Map(products.map(({ id, groupIds }) => [id, groupIds.toSorted()]));
  return ids.map((id) => groups.get(id));
}

describe("a product's groups", () => {
  it("are its category and those above it, as they stand", async () => {
    const [root, other] = [await givenCategory("Drinks"), await givenCategory("Food")];
    const middle = await givenCategory("Hot", root.id);
    const own = await givenCategory("Tea", middle.id);
    await givenCategory("Green", own.id);
    const [tea, plain] = [
      await givenProduct(shop, { categoryId: own.id }),
      await givenProduct(shop),
    ];
    const path = [own.id, middle.id, root.id].toSorted();
    expect(await groupsOf(tea.id, plain.id)).toEqual([path, []]);
    await updateCategory(contextFor(shop), middle.id, { parentId: other.id });
    expect(await groupsOf(tea.id)).toEqual([[own.id, middle.id, other.id].toSorted()]);
    await archiveCategory(contextFor(shop), own.id);
    expect(await groupsOf(tea.id)).toEqual([[middle.id, other.id].toSorted()]);
  });

  it("are the collections that list it, as they stand", async () => {
    const [a, b] = [await givenProduct(shop), await givenProduct(shop)];
    const [both, one] = [
      await givenCollection(listing(a.id, b.id)),
      await givenCollection(listing(a.id)),
    ];
    expect(await groupsOf(a.id, b.id)).toEqual([[both, one].toSorted(), [both]]);
    await updateCollection(contextFor(shop), one, { members: listing(b.id) });
    await archiveCollection(contextFor(shop), both);
    expect(await groupsOf(a.id, b.id)).toEqual([[], [one]]);
  });

  it("are the collections whose rule's tags it has all of, as they stand", async () => {
    const product = await givenProduct(shop, { tags: ["hot", "local", "green"] });
    const [one, two, three] = [
      await givenCollection(ruled("local")),
      await givenCollection(ruled("green", "hot")),
      await givenCollection(ruled("hot", "local", "green")),
    ];
    await givenCollection(ruled("Local"));
    await givenCollection(ruled("hot", "cold"));
    await givenCollection(ruled("cold", "hot"));
    expect(await groupsOf(product.id)).toEqual([[one, two, three].toSorted()]);
    await updateProduct(contextFor(shop), product.id, { tags: ["hot", "green"] });
    expect(await groupsOf(product.id)).toEqual([[two]]);
    await updateCollection(contextFor(shop), two, { members: ruled("green") });
    await updateCollection(contextFor(shop), three, { members: ruled("hot", "green") });
    expect(await groupsOf(product.id)).toEqual([[two, three].toSorted()]);
    await updateCollection(contextFor(shop), three, { members: listing() });
    await archiveCollection(contextFor(shop), two);
    expect(await groupsOf(product.id)).toEqual([[]]);
  });

  it("stay the same while it is inactive", async () => {
    const category = await givenCategory("Tea");
    const product = await givenProduct(shop, { categoryId: category.id, tags: ["a", "b"] });
    const [first, second, third] = [
      await givenCollection(listing(product.id)),
      await givenCollection(ruled("b")),
      await givenCollection(ruled("a", "b")),
    ];
    await givenCollection(ruled("a", "c"));
    const groups = [category.id, first, second, third].toSorted();
    expect(await groupsOf(product.id)).toEqual([groups]);
    await updateProduct(contextFor(shop), product.id, { isActive: false });
    expect(await groupsOf(product.id)).toEqual([groups]);
  });

  it("are never another business's", async () => {
    const other = await givenNeighbour(shop);
    const product = await givenProduct(shop, { tags: ["a", "b"] });
    await givenCollection(ruled("a"), other);
    await givenCollection(ruled("a", "b"), other);
    const foreign = await givenCollection(listing(), other);
    await rowsOf(
      shop,
      "insert into collection_products (collection_id, product_id, position) values (?, ?, 0)",
      ...[foreign, product.id],
    );
    expect(await groupsOf(product.id)).toEqual([[]]);
  });
});

it("are found by the product's own keys, whatever else there is", async () => {
  const { db, business } = contextFor(shop);
  const ids = sql`select value from json_each(${'["prod_1"]'})`;
  const { sql: text, params } = groupsOfProductsQuery(db, business, ids, allGroups).toSQL();
  const plan = await rowsOf(shop, `explain query plan ${text}`, ...params);
  const steps = plan.map(({ detail }) => String(detail));
  const byKey =
    /^SEARCH .*(?:\(id=\?\)|\(product_id=\?(?: AND facet>\? AND facet<\?)?\)|collections_by_(?:one|first)_tag \(business_id=\? AND <expr>=\?\))$/;
  const ofNoTable =
    /^SCAN .*VIRTUAL TABLE|^SCAN (?:CONSTANT ROW|above|stands|chosen|of_categories|of_collections)$/;
  const reading = steps.filter((step) => /^(?:SEARCH|SCAN) /.test(step));
  expect(reading.filter((step) => byKey.test(step))).toHaveLength(10);
  expect(reading.filter((step) => !byKey.test(step) && !ofNoTable.test(step))).toEqual([]);
});
