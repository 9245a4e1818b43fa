import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  addSlotToCart,
  at,
  checkOut,
  createBookingShop,
  createService,
} from "../bookings/create-booking.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import {
  type ApiClient,
  type ApiResponse,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

const idsIn = (answer: ApiResponse): string[] => dataOf(answer).map(({ id }: { id: string }) => id);

const nextCursor = ({ headers }: ApiResponse) => headers.get("x-next-cursor");

/** The ids of all pages; `hasMore` of each page has to agree with its cursor. */
async function readAllPages(ask: ApiClient, path: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const start: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await ask(
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${start}`,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    cursor = nextCursor(answer);
    expect(answer.headers.get("x-has-more")).toBe(String(cursor !== null));
    pages.push(idsIn(answer));
  }
  return pages;
}

const inPages = <T>(all: readonly T[], size: number): T[][] =>
  all.length === 0
    ? [[]]
    : Array.from({ length: Math.ceil(all.length / size) }, (_, page) =>
        all.slice(page * size, (page + 1) * size),
      );

async function createShopWithLists() {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const create = async (path: string, body: object): Promise<string> =>
    dataOf(await ask("POST", path, { body })).id;
  const { id: part } = await createProduct(shop);
  const ids: Record<"collections" | "bundles" | "composites", string[]> = {
    collections: [],
    bundles: [],
    composites: [],
  };
  for (const n of [1, 2, 3, 4, 5]) {
    const name = `Set ${n}`;
    const components = [{ name: "Part", product_id: part }];
    const sort_order = n % 2; // several have the same sort order
    ids.collections.push(await create("/collections", { name, product_ids: [part], sort_order }));
    ids.bundles.push(await create("/bundles", { name, default_price: "5", components }));
    ids.composites.push(
      await create("/composites", { name, base_price: "1", groups: [{ name: "All", components }] }),
    );
  }
  const [first, second, third, fourth, fifth] = ids.collections;
  return {
    shop,
    lists: {
      collections: [second, fourth, first, third, fifth],
      bundles: ids.bundles.toReversed(),
      composites: ids.composites.toReversed(),
    },
  };
}

describe("lists of the catalogue", () => {
  it("lead from page to page by the cursor in the header, from the cache too", async () => {
    const { shop, lists } = await createShopWithLists();
    for (const [name, ids] of Object.entries(lists)) {
      const path = `/catalogue/${name}`;
      expect(await readAllPages(shopper(shop), path, 2), name).toEqual(inPages(ids, 2));
      expect(await readAllPages(shopper(shop), path, 5), name).toEqual([ids]);
      const again = await shopper(shop)("GET", `${path}?limit=2`);
      expect(nextCursor(again), name).not.toBeNull();
      expect(roundTrips(again).d1, name).toBe(0);
    }
    const searched = "/catalogue/bundles?search=set";
    expect(await readAllPages(shopper(shop), searched, 2)).toEqual(inPages(lists.bundles, 2));
  });

  it("refuse the cursors of each other's records", async () => {
    const { shop } = await createShopWithLists();
    const names = ["collections", "bundles", "composites"];
    for (const name of names) {
      const cursor = nextCursor(await shopper(shop)("GET", `/catalogue/${name}?limit=1`)) ?? "";
      for (const other of names.filter((one) => one !== name)) {
        const path = `/catalogue/${other}?cursor=${encodeURIComponent(cursor)}`;
        expect(await shopper(shop)("GET", path), `${name} at ${other}`).toMatchObject({
          status: 400,
          body: { error: { context: { field: "cursor" } } },
        });
      }
    }
  });

  it("show their headers to pages of other origins", async () => {
    const shop = await createBusiness();
    const read = await shopper(shop)("GET", "/catalogue/collections", {
      headers: { Origin: "https://shop.example" },
    });
    expect(read.headers.get("access-control-expose-headers")).toContain("X-Has-More,X-Next-Cursor");
    expect(read.headers.get("x-has-more")).toBe("false");
    expect(nextCursor(read)).toBeNull();
  });
});

describe("GET /orders", () => {
  it("leads from page to page by cursor, while orders are added and cancelled", async () => {
    const shop = await createBusiness();
    const product = await createProduct(shop);
    const { ask } = await createLoggedInShopper(shop);
    const buy = async () => {
      vi.setSystemTime(Date.now() + 1_000);
      return (await createOrder(shop, product.id, { payWith: "cash", ask })).id;
    };
    const ids = [await buy(), await buy(), await buy(), await buy(), await buy()].toReversed();
    expect(await readAllPages(ask, "/orders", 2)).toEqual(inPages(ids, 2));
    const first = await ask("GET", "/orders?limit=2");
    await buy();
    const second = await ask("GET", `/orders?limit=2&cursor=${nextCursor(first)}`);
    expect(idsIn(second)).toEqual(ids.slice(2, 4));
    expect(roundTrips(second)).toMatchObject({ d1: 1, do: 1 });
    expect(idsIn(await ask("GET", "/orders?limit=2&offset=3"))).toEqual(ids.slice(2, 4));
    expect(await ask("GET", `/orders?offset=0&cursor=${nextCursor(first)}`)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "cursor" } } },
    });
  });
});

describe("GET /scheduling/bookings", () => {
  it("leads from page to page by cursor, upcoming ones forward and others back", async () => {
    const shop = await createBookingShop();
    const service = await createService(shop, { capacity: 2 });
    const { ask } = await createLoggedInShopper(shop);
    for (const hour of [9, 10, 10, 11, 12]) {
      await addSlotToCart(ask, service, at(hour));
      await checkOut(ask);
    }
    const all = idsIn(await ask("GET", "/scheduling/bookings"));
    expect(all).toHaveLength(5);
    const path = "/scheduling/bookings";
    expect(await readAllPages(ask, path, 2)).toEqual(inPages(all, 2));
    expect(await readAllPages(ask, `${path}?when=upcoming`, 2)).toEqual(
      inPages(all.toReversed(), 2),
    );
    expect(await readAllPages(ask, `${path}?when=past`, 2)).toEqual([[]]);
    vi.setSystemTime(Date.parse(at(23)));
    expect(await readAllPages(ask, `${path}?when=past`, 3)).toEqual(inPages(all, 3));
    const orders = await ask("GET", "/orders?limit=1");
    expect(await ask("GET", `${path}?cursor=${nextCursor(orders)}`)).toMatchObject({ status: 400 });
  });
});
