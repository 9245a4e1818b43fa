import { describe, expect, it } from "vitest";
import {
  newProductQueries,
  planInsert,
  planUpdate,
  productRecordRepo,
} from "../../shared/catalogue/index.ts";
import { commit } from "../../shared/database/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

const lostRace = { code: "CONFLICT", retryable: true };

describe("two changes of the catalogue that were decided on the same state", () => {
  it("let the first one in; the other fails whole and may be tried again", async () => {
    const shop = await givenBusiness();
    const ctx = contextFor(shop);
    const { id } = await givenProduct(shop);
    const { record } = await productRecordRepo(ctx).getForUpdate(id, null);
    const [first, second] = [{ name: "First" }, { description: "Second", tags: ["second"] }].map(
      (patch) => planUpdate(ctx, record, { patch, found: null }),
    );
    await commit(ctx, first?.change ?? { writes: [] });
    await expect(commit(ctx, second?.change ?? { writes: [] })).rejects.toMatchObject(lostRace);
    const { product } = await productRecordRepo(ctx).get(id);
    expect(product).toMatchObject({ name: "First", description: "", tags: [] });
  });

  it("do not give one automatic slug twice", async () => {
    const shop = await givenBusiness();
    const ctx = contextFor(shop);
    const around = await ctx.db.batch(newProductQueries(ctx, { slug: "cup", categoryId: null }));
    const {
      id: _,
      bundle: __,
      composite: ___,
      createdAt: ____,
      updatedAt: _____,
      ...tea
    } = await givenProduct(shop);
    const cup = { ...tea, name: "Cup", slug: null };
    await commit(ctx, planInsert(ctx, cup, around).change);
    await expect(commit(ctx, planInsert(ctx, cup, around).change)).rejects.toMatchObject(lostRace);
  });
});
