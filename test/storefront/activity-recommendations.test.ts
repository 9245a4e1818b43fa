import { describe, expect, it } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { contextFor, createBusinessOnSameShard, dataOf, roundTrips } from "../support/world.ts";
import { categoryView, productView, setUpActivitySession } from "./create-activity-session.ts";

const { shop, ask, send, add, createCategory } = setUpActivitySession();

describe("GET /activity/recommendations", () => {
  const findRecommended = async (query = "") =>
    dataOf(await ask("GET", `/activity/recommendations${query}`)).recommendations;

  const sold = (productId: string, pieces: number) =>
    contextFor(shop())
      .db.$client.prepare("update products set popularity = ? where id = ?")
      .bind(pieces, productId)
      .all();

  it("shows popular products without a session and creates none", async () => {
    const [tea, bread] = [
      await createProduct(shop(), { name: "Tea" }),
      await createProduct(shop(), { name: "Bread" }),
    ];
    await sold(tea.id, 9);
    const answer = await ask("GET", "/activity/recommendations");
    expect(dataOf(answer)).toEqual({
      recommendations: [
        { product: { id: tea.id, name: "Tea" }, reason: "popular" },
        { product: { id: bread.id, name: "Bread" }, reason: "popular" },
      ],
      intent: "baseline",
      incentive: null,
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    const warm = await ask("GET", "/activity/recommendations");
    expect(roundTrips(warm)).toMatchObject({ d1: 1, do: 0 });
  });

  it("lists viewed categories with their descendants first", async () => {
    const drinks = await createCategory("Drinks");
    const teas = await createCategory("Teas", drinks.id);
    const cola = await createProduct(shop(), { categoryId: drinks.id });
    const green = await createProduct(shop(), { categoryId: teas.id });
    const bread = await createProduct(shop());
    await sold(bread.id, 90);
    await sold(green.id, 9);
    await send(categoryView(drinks.id));
    const reason = `from_category:${drinks.id}`;
    expect(await findRecommended()).toMatchObject([
      { product: { id: green.id }, reason },
      { product: { id: cola.id }, reason },
      { product: { id: bread.id }, reason: "popular" },
    ]);
    expect(await findRecommended("?limit=1")).toMatchObject([{ product: { id: green.id } }]);
  });

  it("includes the categories of viewed products", async () => {
    const teas = await createCategory("Teas");
    const [green, black] = [
      await createProduct(shop(), { categoryId: teas.id }),
      await createProduct(shop(), { categoryId: teas.id }),
    ];
    await send(productView(green.id, { category_id: teas.id }));
    const found = await findRecommended();
    expect(found.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(2).fill(`from_category:${teas.id}`),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ product: { id: black.id, name: "Tea" } }),
    );
  });

  it("leaves out inactive products, products in the cart and other businesses'", async () => {
    const teas = await createCategory("Teas");
    const mine = await createProduct(shop(), { categoryId: teas.id });
    await createProduct(shop(), { categoryId: teas.id, isActive: false });
    await createProduct(await createBusinessOnSameShard(shop()));
    await send(categoryView(teas.id), categoryView("cat_of_another"));
    expect(await findRecommended()).toHaveLength(1);
    await add(mine.id);
    expect(await findRecommended()).toEqual([]);
  });

  it.each(["0", "51", "x"])("rejects a limit of %s", async (limit) => {
    expect(await ask("GET", `/activity/recommendations?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "limit" } } },
    });
  });

  it("needs one query and one object call for any number of views", async () => {
    await send(...Array.from({ length: 30 }, (_, index) => categoryView(`cat_${index}`)));
    const answer = await ask("GET", "/activity/recommendations?limit=50");
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
  });
});
