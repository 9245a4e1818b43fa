import { beforeEach, describe, expect, it } from "vitest";
import type { List } from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { createAsset, createBytes, deployCaller } from "../uploads/create-uploads.ts";
import { createMerchant, createShopper, recordRequests } from "./create-clients.ts";
import { answer, createFaultyFetch, neverAnswer, pass } from "./faulty-fetch.ts";

const numbers = [1, 2, 3, 4, 5];

let created: CreatedBusiness;

beforeEach(async () => {
  created = await createBusiness();
});

/** What a list of five items needs: its operation, and a way to create what it lists. */
type PagedList = Readonly<{
  create: () => Promise<unknown>;
  list: (input: { limit: number; cursor?: string }) => List<{ id: string }>;
}>;

/** A list of each kind of paging, and the queries by which its three pages are read. */
function createPagedLists() {
  const { fetch, requests } = recordRequests();
  const business = createMerchant(created, { fetch });
  const shop = createShopper(created, { fetch });
  const build = createMerchant(
    { ...created, keys: { ...created.keys, secret: created.keys.deploy } },
    { fetch },
  );
  let categoryId = "";
  const createProducts = async () => {
    ({ id: categoryId } = (await business.categories.create({ name: "Teas" })).data);
    for (const number of numbers)
      await createProduct(created, { name: `Tea ${number}`, categoryId });
  };
  const lists: Record<"cursor" | "headers" | "offset" | "page", PagedList> = {
    cursor: { create: createProducts, list: (input) => business.products.list(input) },
    headers: {
      create: async () => {
        const { id } = await createProduct(created);
        for (const number of numbers)
          await business.collections.create({ name: `Set ${number}`, product_ids: [id] });
      },
      list: (input) => shop.collections.list(input),
    },
    offset: {
      create: createProducts,
      list: (input) => shop.categories.listProducts(categoryId, input),
    },
    page: {
      create: async () => {
        for (const number of numbers)
          await createAsset(deployCaller(created), createBytes(3), { filename: `${number}.png` });
      },
      list: (input) => build.assets.list(input),
    },
  };
  const queries = () => requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  return { lists, requests, queries };
}

async function collectIds(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe.each(["cursor", "headers", "offset", "page"] as const)("a list by %s", (kind) => {
  it("is iterated over all pages, and read page by page", async () => {
    const { lists, requests, queries } = createPagedLists();
    const { create, list } = lists[kind];
    await create();
    requests.length = 0;
    const all = await collectIds(list({ limit: 2 }));
    expect(new Set(all).size).toBe(5);
    const name = kind === "headers" ? "cursor" : kind;
    const text = expect.any(String);
    const [second, third] = { cursor: [text, text], offset: ["2", "4"], page: ["2", "3"] }[name];
    expect(queries()).toEqual([
      { limit: "2" },
      { limit: "2", [name]: second },
      { limit: "2", [name]: third },
    ]);

    const first = await list({ limit: 2 }).page();
    expect(first).toMatchObject({
      ...{ items: all.slice(0, 2).map((id) => ({ id })), hasMore: true, nextCursor: text },
      ...{ requestId: text, serverTiming: text },
    });
    const cursor = String(first.nextCursor);
    expect(await collectIds(list({ limit: 2, cursor }))).toEqual(all.slice(2));
    const { nextCursor } = await list({ limit: 2, cursor }).page();
    const last = await list({ limit: 2, cursor: String(nextCursor) }).page();
    expect(last).toMatchObject({ items: [{ id: all[4] }], hasMore: false, nextCursor: null });
  });

  it("is iterated without items, with one request", async () => {
    const { lists, requests } = createPagedLists();
    const { create, list } = lists[kind];
    if (kind === "offset") await create();
    requests.length = 0;
    const input = kind === "offset" ? { limit: 2, cursor: "5" } : { limit: 2 };
    expect(await collectIds(list(input))).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});

describe("a list", () => {
  beforeEach(async () => {
    for (const number of numbers) await createProduct(created, { name: `Tea ${number}` });
  });

  it("reads no further page after a break, and begins again when it is iterated again", async () => {
    const { fetch, requests } = recordRequests();
    const list = createShopper(created, { fetch }).products.list({
      limit: 2,
      sort_by: "name",
      sort_order: "asc",
    });
    for (let times = 1; times <= 2; times += 1) {
      const names: string[] = [];
      for await (const { name } of list) {
        names.push(name);
        if (names.length === 3) break;
      }
      expect(names).toEqual(["Tea 1", "Tea 2", "Tea 3"]);
      expect(requests).toHaveLength(2 * times);
    }
  });

  it("sends nothing before it is read", async () => {
    const { fetch, requests } = recordRequests();
    createShopper(created, { fetch }).products.list();
    expect(requests).toEqual([]);
  });

  it("throws where a page cannot be read", async () => {
    const { fetch } = createFaultyFetch(pass, answer(403, "<h1>No</h1>"));
    const names: string[] = [];
    const reading = (async () => {
      for await (const { name } of createMerchant(created, { fetch }).products.list({ limit: 2 }))
        names.push(name);
    })();
    await expect(reading).rejects.toMatchObject({ status: 403 });
    expect(names).toHaveLength(2);
  });

  it("repeats the request of a page as any other", async () => {
    const { fetch } = createFaultyFetch(pass, answer(503, "", { "Retry-After": "0" }));
    expect(await collectIds(createMerchant(created, { fetch }).products.list({ limit: 2 }))) //
      .toHaveLength(5);
  });

  it("takes a timeout and a signal for all pages, or for one", async () => {
    const business = () =>
      createMerchant(created, { fetch: createFaultyFetch(neverAnswer).fetch, retries: 0 });
    const slow = { code: "TIMEOUT" };
    const short = { timeout: 10 };
    await expect(business().products.list({}, short).page()).rejects.toMatchObject(slow);
    await expect(business().products.list().page(short)).rejects.toMatchObject(slow);
    await expect(collectIds(business().products.list({}, short))).rejects.toMatchObject(slow);
    const signal = AbortSignal.abort(new Error("The page was closed."));
    await expect(collectIds(business().products.list({}, { signal }))).rejects.toBe(signal.reason);
  });

  it("has the whole answer of a page that says more than its items", async () => {
    const page = await createMerchant(created).reports.getStock({ limit: 1 }).page();
    expect(page).toMatchObject({ items: [], data: { currency: "GHS", totals: expect.anything() } });
  });
});
