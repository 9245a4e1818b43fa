/** A merchant puts products elsewhere: what deals are for changes with it (completions.md 4, Deal). */
import fc from "fast-check";
import { expect } from "vitest";
import { merchant } from "../support/world.ts";
import { at, type World } from "./cart-world.ts";
import { type Collection, collected } from "./groups.ts";
import { afterwards, asked, isSeen, type Target, target, targeted } from "./merchant-commands.ts";
import { change, type Scene } from "./scene.ts";
import type { Product } from "./shop-model.ts";
import { step } from "./step.ts";

/** A product gets other tags, or another category. */
const moves = fc
  .record({
    target,
    to: fc.oneof(
      fc.constantFrom([], ["sale"], ["new"], ["sale", "new"]).map((tags) => ({ tags })),
      fc.constantFrom(null, 0, 1).map((category) => ({ category })),
    ),
    isSeen,
  })
  .map(({ target, to, isSeen }) =>
    step(`moved ${JSON.stringify({ ...target, ...to, isSeen })}`, async (scene) => {
      const changes =
        "tags" in to
          ? { tags: to.tags }
          : { categoryId: to.category === null ? null : at(scene.world.categories, to.category) };
      await moveProduct(scene, target, changes);
      await afterwards(scene, { isSeen });
    }),
  );

/** A product comes into the collection of those that are picked, or leaves it. */
const picks = fc.record({ target, isSeen }).map(({ target, isSeen }) =>
  step(`picked, or not any more ${JSON.stringify({ ...target, isSeen })}`, async (scene) => {
    const before = scene.collections.find((one) => one.picks !== null);
    if (!before?.picks) return; // it was archived
    const { id } = targeted(scene, target);
    const isIn = before.picks.includes(id);
    const picks = isIn ? before.picks.filter((one) => one !== id) : [...before.picks, id];
    await changeCollection(scene, before, { ...before, picks });
    await afterwards(scene, { isSeen });
  }),
);

/** A collection by rule asks for another tag, or what is in it is what is picked from now on; or the reverse. */
const rules = fc
  .record({ collection: fc.nat(2), to: fc.constantFrom("sale", "new", "picks"), isSeen })
  .map(({ collection, to, isSeen }) =>
    step(`collection ${collection} by ${to} ${isSeen}`, async (scene) => {
      const before = scene.collections.find(
        ({ id }) => id === at(scene.world.collections, collection).id,
      );
      if (!before) return;
      const picks = to === "picks" ? [scene.shop.products[0]?.id ?? ""] : null;
      await changeCollection(scene, before, { id: before.id, picks, tag: to });
      await afterwards(scene, { isSeen });
    }),
  );

/** There is no such collection any more, and so nothing in it. */
const ends = fc.record({ collection: fc.nat(2), isSeen }).map(({ collection, isSeen }) =>
  step(`collection ${collection} is archived ${isSeen}`, async (scene) => {
    const { id } = at(scene.world.collections, collection);
    const before = scene.collections.find((one) => one.id === id);
    if (!before) return;
    undoLater(scene.world, before.id);
    await asked(scene, { method: "DELETE", path: `/collections/${id}` });
    regrouped(
      scene,
      scene.collections.filter((one) => one !== before),
    );
    await afterwards(scene, { isSeen });
  }),
);

export const groupCommands = fc.oneof(
  { weight: 4, arbitrary: moves },
  { weight: 3, arbitrary: picks },
  { weight: 2, arbitrary: rules },
  { weight: 1, arbitrary: ends },
);

async function moveProduct(
  scene: Scene,
  target: Target,
  changes: Partial<Pick<Product, "tags" | "categoryId">>,
): Promise<void> {
  const before = targeted(scene, target);
  const made = scene.world.shop.products.find(({ id }) => id === before.id) ?? before;
  const path = `/products/${before.id}`;
  scene.world.undo.set(path, async () => {
    const body = { tags: made.tags, category_id: made.categoryId };
    await demandDone(scene.world, { path, body });
  });
  const product = { ...before, ...changes };
  const body = { tags: product.tags, category_id: product.categoryId };
  await asked(scene, { path, body });
  const after = collected(product, scene.collections);
  const { products } = scene.shop;
  change(scene, { ...scene.shop, products: products.map((one) => (one === before ? after : one)) });
}

async function changeCollection(scene: Scene, before: Collection, after: Collection) {
  undoLater(scene.world, before.id);
  await asked(scene, { path: `/collections/${before.id}`, body: membersOf(after) });
  regrouped(
    scene,
    scene.collections.map((one) => (one === before ? after : one)),
  );
}

const membersOf = ({ picks, tag }: Collection) =>
  picks === null ? { rule: { tags: [tag] } } : { product_ids: picks };

/** The products are in these collections from now on. */
function regrouped(scene: Scene, collections: readonly Collection[]): void {
  scene.collections = collections;
  const products = scene.shop.products.map((product) => collected(product, collections));
  change(scene, { ...scene.shop, products });
}

/** The collection, which stands again by then, holds what it was made with before the next sequence. */
function undoLater(world: World, id: string): void {
  const made = world.collections.find((one) => one.id === id);
  if (!made) return;
  world.undo.set(id, () =>
    demandDone(world, { path: `/collections/${id}`, body: membersOf(made) }),
  );
}

async function demandDone(
  { business }: World,
  { path, body }: Readonly<{ path: string; body: object }>,
): Promise<void> {
  const answer = await merchant(business)("PATCH", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
