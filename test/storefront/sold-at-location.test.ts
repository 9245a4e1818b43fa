import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let main: string;
let annex: string;
let [everywhere, atMain, atAnnex, atAnnexAndAnywhere]: string[] = [];

const hours = { days: ["mon"], start_time: "09:00", end_time: "17:00" };

const create = async (path: string, body: object): Promise<string> =>
  dataOf(await merchant(shop)("POST", path, { body })).id;

const createTea = (tags: string[], ...locations: (string | null)[]): Promise<string> =>
  create("/products", {
    name: "Tea",
    default_price: "10",
    tags,
    schedules: locations.map((location_id) => ({ ...hours, location_id })),
  });

beforeEach(async () => {
  shop = await createBusiness();
  main = shop.business.locations[0]?.id ?? "";
  annex = await create("/locations", { name: "Annex" });
  everywhere = await createTea(["hot"]);
  atMain = await createTea(["hot", "new"], main);
  atAnnex = await createTea(["hot"], annex, annex);
  atAnnexAndAnywhere = await createTea(["new"], annex, null);
});

describe("product_count of GET /catalogue/collections", () => {
  const countsAt = async (locationId?: string): Promise<number[]> => {
    const query = locationId === undefined ? "" : `?location_id=${locationId}`;
    const list = dataOf(await shopper(shop)("GET", `/catalogue/collections${query}`));
    return list.map(({ product_count }: { product_count: number }) => product_count);
  };

  it("counts the products that the location sells", async () => {
    const inactive = (await createProduct(shop, { isActive: false })).id;
    const all = [everywhere, atMain, atAnnex, atAnnexAndAnywhere, inactive];
    await create("/collections", { name: "All", product_ids: all, sort_order: 1 });
    await create("/collections", { name: "Hot", rule: { tags: ["hot"] }, sort_order: 2 });
    await create("/collections", { name: "Both", rule: { tags: ["hot", "new"] }, sort_order: 3 });
    await create("/collections", { name: "None", rule: { tags: ["cold"] }, sort_order: 4 });
    expect(await countsAt()).toEqual([4, 3, 1, 0]);
    expect(await countsAt(main)).toEqual([3, 2, 1, 0]);
    expect(await countsAt(annex)).toEqual([3, 2, 0, 0]);
  });

  it("does not count another business's products, and is cached for each location", async () => {
    await create("/collections", { name: "Hot", rule: { tags: ["hot"] } });
    expect(await countsAt(annex)).toEqual([2]);
    const path = `/catalogue/collections?location_id=${annex}`;
    expect(roundTrips(await shopper(shop)("GET", path)).d1).toBe(0);
    const other = await createBusiness();
    expect((await shopper(other)("GET", path)).status).toBe(404);
  });
});

describe("location_id of POST /catalogue/deals/validate", () => {
  const isValidAt = async (code: string, location_id?: string) => {
    const body = { discount_code: code, order_subtotal: "50", location_id };
    const answer = await shopper(shop)("POST", "/catalogue/deals/validate", { body });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3); // the key's, the deal's, the location's
    const { is_valid, reason, deal } = dataOf(answer);
    expect({ reason, isShown: deal !== null }).toEqual(
      is_valid ? { reason: null, isShown: true } : { reason: "COUPON_INVALID", isShown: false },
    );
    return is_valid;
  };
  const createCoupon = (code: string, scope: "product" | "category" | "collection", id = "") =>
    createDeal(shop, { code, appliesTo: { scope, ids: [id] } });

  it("refuses a code for products that the location does not sell", async () => {
    await createDeal(shop, { code: "ALL" });
    await createCoupon("ANNEX", "product", atAnnex);
    await createCoupon("ANY", "product", atAnnexAndAnywhere);
    expect(await isValidAt("ALL", main)).toBe(true);
    expect(await isValidAt("ANNEX")).toBe(true);
    expect(await isValidAt("ANNEX", annex)).toBe(true);
    expect(await isValidAt("ANNEX", main)).toBe(false);
    expect(await isValidAt("ANY", main)).toBe(true);
  });

  it("looks into subcategories and collections", async () => {
    const drinks = await create("/categories", { name: "Drinks" });
    const tea = await create("/categories", { name: "Tea", parent_id: drinks });
    await merchant(shop)("PATCH", `/products/${atAnnex}`, { body: { category_id: tea } });
    const listed = await create("/collections", { name: "Listed", product_ids: [atMain] });
    const ruled = await create("/collections", { name: "Ruled", rule: { tags: ["hot", "new"] } });
    await createCoupon("DRINKS", "category", drinks);
    await createCoupon("LISTED", "collection", listed);
    await createCoupon("RULED", "collection", ruled);
    for (const [code, at, elsewhere] of [
      ["DRINKS", annex, main],
      ["LISTED", main, annex],
      ["RULED", main, annex],
    ] as const) {
      expect(await isValidAt(code, at), code).toBe(true);
      expect(await isValidAt(code, elsewhere), code).toBe(false);
    }
  });
});
