import { describe, expect, it } from "vitest";
import {
  merchantCatalogue,
  newProductQueries,
  planNewProduct,
  planProductUpdate,
} from "../../shared/catalogue/index.ts";
import { commit } from "../../shared/database/index.ts";
import { createProduct } from "../support/create-product.ts";
import { contextFor, createBusiness } from "../support/world.ts";

const retryableConflict = { code: "CONFLICT", retryable: true };

describe("two plans based on the same state", () => {
  it("commit the first; the second fails as a whole and can be retried", async () => {
    const shop = await createBusiness();
    const ctx = contextFor(shop);
    const { id } = await createProduct(shop);
    const { record } = await merchantCatalogue.productRecordRepo(ctx).getForUpdate(id, null);
    const [first, second] = [{ name: "First" }, { description: "Second", tags: ["second"] }].map(
      (patch) => planProductUpdate(ctx, record, { patch, newCategory: null }),
    );
    await commit(ctx, first?.change ?? { writes: [] });
    await expect(commit(ctx, second?.change ?? { writes: [] })).rejects.toMatchObject(
      retryableConflict,
    );
    const { product } = await merchantCatalogue.productRecordRepo(ctx).get(id);
    expect(product).toMatchObject({ name: "First", description: "", tags: [] });
  });

  it("do not generate the same slug twice", async () => {
    const shop = await createBusiness();
    const ctx = contextFor(shop);
    const rows = await ctx.db.batch(
      newProductQueries(ctx, { slug: null, name: "Cup", categoryId: null }),
    );
    const {
      id: _,
      bundle: __,
      composite: ___,
      createdAt: ____,
      updatedAt: _____,
      ...tea
    } = await createProduct(shop);
    const cup = { ...tea, name: "Cup", slug: null };
    await commit(ctx, planNewProduct(ctx, cup, rows).change);
    await expect(commit(ctx, planNewProduct(ctx, cup, rows).change)).rejects.toMatchObject(
      retryableConflict,
    );
  });
});
