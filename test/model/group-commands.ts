/** A merchant changes categories and collections, and so the products that deals apply to. */
import fc from "fast-check";
import { expect } from "vitest";
import { merchant } from "../support/world.ts";
import { type Collection, withCollections } from "./create-groups.ts";
import {
  assertCartsUnchanged,
  isCacheExpired,
  productAt,
  sendMerchantRequest,
  type Target,
  target,
} from "./merchant-commands.ts";
import { changeShop, type Scene } from "./scene.ts";
import type { Product } from "./shop-model.ts";
import { itemAt, type ShopUnderTest } from "./shop-under-test.ts";
import { createStep } from "./step.ts";

/** Changes a product's tags or category. */
const productMoves = fc
  .record({
    target,
    to: fc.oneof(
      fc.constantFrom([], ["sale"], ["new"], ["sale", "new"]).map((tags) => ({ tags })),
      fc.constantFrom(null, 0, 1).map((category) => ({ category })),
    ),
    isSeen: isCacheExpired,
  })
  .map(({ target, to, isSeen }) =>
    createStep(`moved ${JSON.stringify({ ...target, ...to, isSeen })}`, async (scene) => {
      const changes =
        "tags" in to
          ? { tags: to.tags }
          : {
              categoryId: to.category === null ? null : itemAt(scene.world.categories, to.category),
            };
      await moveProduct(scene, target, changes);
      await assertCartsUnchanged(scene, { isSeen });
    }),
  );

/** Adds a product to the collection of picked products, or removes it. */
const picks = fc.record({ target, isSeen: isCacheExpired }).map(({ target, isSeen }) =>
  createStep(`picked, or not any more ${JSON.stringify({ ...target, isSeen })}`, async (scene) => {
    const before = scene.collections.find((one) => one.picks !== null);
    if (!before?.picks) return; // it is archived
    const { id } = productAt(scene, target);
    const isIn = before.picks.includes(id);
    const picks = isIn ? before.picks.filter((one) => one !== id) : [...before.picks, id];
    await changeCollection(scene, before, { ...before, picks });
    await assertCartsUnchanged(scene, { isSeen });
  }),
);

/** Changes a collection's rule to another tag, or to picked products. */
const rules = fc
  .record({
    collection: fc.nat(2),
    to: fc.constantFrom("sale", "new", "picks"),
    isSeen: isCacheExpired,
  })
  .map(({ collection, to, isSeen }) =>
    createStep(`collection ${collection} by ${to} ${isSeen}`, async (scene) => {
      const before = scene.collections.find(
        ({ id }) => id === itemAt(scene.world.collections, collection).id,
      );
      if (!before) return;
      const picks = to === "picks" ? [scene.shop.products[0]?.id ?? ""] : null;
      await changeCollection(scene, before, { id: before.id, picks, tag: to });
      await assertCartsUnchanged(scene, { isSeen });
    }),
  );

/** Archives a collection. */
const archivals = fc
  .record({ collection: fc.nat(2), isSeen: isCacheExpired })
  .map(({ collection, isSeen }) =>
    createStep(`collection ${collection} is archived ${isSeen}`, async (scene) => {
      const { id } = itemAt(scene.world.collections, collection);
      const before = scene.collections.find((one) => one.id === id);
      if (!before) return;
      registerUndo(scene.world, before.id);
      await sendMerchantRequest(scene, { method: "DELETE", path: `/collections/${id}` });
      changeCollections(
        scene,
        scene.collections.filter((one) => one !== before),
      );
      await assertCartsUnchanged(scene, { isSeen });
    }),
  );

export const groupCommands = fc.oneof(
  { weight: 4, arbitrary: productMoves },
  { weight: 3, arbitrary: picks },
  { weight: 2, arbitrary: rules },
  { weight: 1, arbitrary: archivals },
);

async function moveProduct(
  scene: Scene,
  target: Target,
  changes: Partial<Pick<Product, "tags" | "categoryId">>,
): Promise<void> {
  const before = productAt(scene, target);
  const made = scene.world.shop.products.find(({ id }) => id === before.id) ?? before;
  const path = `/products/${before.id}`;
  scene.world.undo.set(path, async () => {
    const body = { tags: made.tags, category_id: made.categoryId };
    await patchRecord(scene.world, { path, body });
  });
  const product = { ...before, ...changes };
  const body = { tags: product.tags, category_id: product.categoryId };
  await sendMerchantRequest(scene, { path, body });
  const after = withCollections(product, scene.collections);
  const { products } = scene.shop;
  changeShop(scene, {
    ...scene.shop,
    products: products.map((one) => (one === before ? after : one)),
  });
}

async function changeCollection(scene: Scene, before: Collection, after: Collection) {
  registerUndo(scene.world, before.id);
  await sendMerchantRequest(scene, { path: `/collections/${before.id}`, body: membersOf(after) });
  changeCollections(
    scene,
    scene.collections.map((one) => (one === before ? after : one)),
  );
}

const membersOf = ({ picks, tag }: Collection) =>
  picks === null ? { rule: { tags: [tag] } } : { product_ids: picks };

/** Sets the collections, and the products' membership in them. */
function changeCollections(scene: Scene, collections: readonly Collection[]): void {
  scene.collections = collections;
  const products = scene.shop.products.map((product) => withCollections(product, collections));
  changeShop(scene, { ...scene.shop, products });
}

/** Restores the collection before the next sequence. */
function registerUndo(world: ShopUnderTest, id: string): void {
  const made = world.collections.find((one) => one.id === id);
  if (!made) return;
  world.undo.set(id, () =>
    patchRecord(world, { path: `/collections/${id}`, body: membersOf(made) }),
  );
}

async function patchRecord(
  { business }: ShopUnderTest,
  { path, body }: Readonly<{ path: string; body: object }>,
): Promise<void> {
  const answer = await merchant(business)("PATCH", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
