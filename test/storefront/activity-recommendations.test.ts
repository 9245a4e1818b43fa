import { describe, expect, it } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf } from "../support/orders.ts";
import { contextFor, roundTrips } from "../support/world.ts";
import { activitySession, browse, view } from "./activity-session.ts";

const { shop, ask, send, add, givenCategory } = activitySession();

describe("GET /activity/recommendations", () => {
  const recommended = async (query = "") =>
    dataOf(await ask("GET", `/activity/recommendations${query}`)).recommendations;

  const sold = (productId: string, pieces: number) =>
    contextFor(shop())
      .db.$client.prepare("update products set popularity = ? where id = ?")
      .bind(pieces, productId)
      .all();

  it("shows a stranger what others buy, most of it first, and makes no session", async () => {
    const [tea, bread] = [
      await givenProduct(shop(), { name: "Tea" }),
      await givenProduct(shop(), { name: "Bread" }),
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

  it("puts the viewed categories first, with what is below them", async () => {
    const drinks = await givenCategory("Drinks");
    const teas = await givenCategory("Teas", drinks.id);
    const cola = await givenProduct(shop(), { categoryId: drinks.id });
    const green = await givenProduct(shop(), { categoryId: teas.id });
    const bread = await givenProduct(shop());
    await sold(bread.id, 90);
    await sold(green.id, 9);
    await send(browse(drinks.id));
    const reason = `from_category:${drinks.id}`;
    expect(await recommended()).toMatchObject([
      { product: { id: green.id }, reason },
      { product: { id: cola.id }, reason },
      { product: { id: bread.id }, reason: "popular" },
    ]);
    expect(await recommended("?limit=1")).toMatchObject([{ product: { id: green.id } }]);
  });

  it("takes the categories of viewed products too", async () => {
    const teas = await givenCategory("Teas");
    const [green, black] = [
      await givenProduct(shop(), { categoryId: teas.id }),
      await givenProduct(shop(), { categoryId: teas.id }),
    ];
    await send(view(green.id, { category_id: teas.id }));
    const found = await recommended();
    expect(found.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(2).fill(`from_category:${teas.id}`),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ product: { id: black.id, name: "Tea" } }),
    );
  });

  it("never shows an inactive product, one in the cart, or another business's", async () => {
    const teas = await givenCategory("Teas");
    const mine = await givenProduct(shop(), { categoryId: teas.id });
    await givenProduct(shop(), { categoryId: teas.id, isActive: false });
    await givenProduct(await givenNeighbour(shop()));
    await send(browse(teas.id), browse("cat_of_another"));
    expect(await recommended()).toHaveLength(1);
    await add(mine.id);
    expect(await recommended()).toEqual([]);
  });

  it.each(["0", "51", "x"])("refuses a limit of %s", async (limit) => {
    expect(await ask("GET", `/activity/recommendations?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "limit" } } },
    });
  });

  it("costs one query and one object, however much was seen", async () => {
    await send(...Array.from({ length: 30 }, (_, index) => browse(`cat_${index}`)));
    const answer = await ask("GET", "/activity/recommendations?limit=50");
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
  });
});
