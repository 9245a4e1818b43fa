import { asRecord, asText } from "./api-client.ts";
import type { BenchItem, BenchShop } from "./create-shop.ts";
import type { WorkUnit } from "./load.ts";
import { type Peers, peers } from "./peers.ts";
import type { Visitor } from "./visitor.ts";

/** One line of the benchmark; `createShopRows` lists them. */
export type BenchRow = Readonly<{
  name: string;
  publishableKey: string;
  /** The address to call. By default the row calls the service. */
  origin?: URL;
  /** Prepares a visitor and returns the unit that is repeated and timed. */
  work(visitor: Visitor): WorkUnit | Promise<WorkUnit>;
  /** "trivial" routes do nothing and are compared with each "read". A "cold" read queries D1. */
  kind: "trivial" | "read" | "cold" | "write";
  peers?: Peers;
  /** Set on rows that measure the same thing at several sizes. */
  scale?: Scale;
}>;

export type Scale = Readonly<{ measure: string; size: number }>;

/**
 * The rows of the shop. The first two measure /healthz of the front Worker and of the storefront
 * Worker, as the fastest possible responses.
 */
export const createShopRows = ({ publishableKey, items }: BenchShop): readonly BenchRow[] =>
  shopRows(items).map((row) => ({ ...row, publishableKey }));

type ShopRow = Omit<BenchRow, "publishableKey" | "origin">;

/** The row that the costs of all other rows are compared with. */
export const trivialRowName = "trivial: /healthz of the storefront";

export const cartSizes: readonly number[] = [1, 100, 200];

const shopRows = (items: readonly BenchItem[]): readonly ShopRow[] => [
  {
    name: "trivial: /healthz of the front",
    kind: "trivial",
    work: (visitor) => () => visitor.send({ path: "/healthz" }),
  },
  {
    name: trivialRowName,
    kind: "trivial",
    work: (visitor) => () => visitor.send({ path: "/api/v1/healthz" }),
  },
  {
    name: "product list, 20",
    kind: "read",
    peers: peers.productList,
    work: (visitor) => () => visitor.send({ path: "/api/v1/catalogue/products?limit=20" }),
  },
  {
    name: "product detail",
    kind: "read",
    peers: peers.productDetail,
    work: productDetails(items),
  },
  {
    name: "add a line to a cart",
    kind: "write",
    peers: peers.cartLine,
    work: (visitor) => addItemsInTurn(visitor, pickNeighbours(items, 10)),
  },
  {
    // The comparison for an agent that creates a cart, which makes a new session too.
    name: "add the first line to a new cart",
    kind: "write",
    work: firstAdditions(items),
  },
  ...cartSizes.map((lines) => cartReads(lines, items)),
  ...cartSizes.map((lines) => cartAdditions(lines, items)),
  {
    name: "whole sale: 2 lines, cash, placed",
    kind: "write",
    peers: peers.wholeSale,
    work: sales(items),
  },
];

/** Reads random products that are in the cache. */
function productDetails(items: readonly BenchItem[]): BenchRow["work"] {
  const unread = [...items];
  const read = (visitor: Visitor, item: BenchItem | undefined) =>
    visitor.send({ path: `/api/v1/catalogue/products/${item?.productId}` });
  return async (visitor) => {
    while (unread.length > 0) await read(visitor, unread.pop());
    return () => read(visitor, pickNeighbours(items, 1)[0]);
  };
}

/** Starts a session with each line. First adds the products, so that they are in the cache. */
function firstAdditions(items: readonly BenchItem[]): BenchRow["work"] {
  const bought = pickNeighbours(items, 10);
  return async (visitor) => {
    await fillCart(visitor, bought);
    return () => {
      visitor.startNewSession();
      return addItem(visitor, pickNeighbours(bought, 1)[0]);
    };
  };
}

/** Reads a cart. The difference to adding a line is the cost of the write. */
function cartReads(lines: number, items: readonly BenchItem[]): ShopRow {
  const name = `read a cart of ${lines}`;
  const scale = { measure: "read a cart, of lines", size: lines };
  const work = async (visitor: Visitor) => {
    await fillCart(visitor, items.slice(0, lines));
    return () => visitor.send({ path: "/api/v1/cart" });
  };
  // A "write" row, because reading a cart calls a Durable Object, as adding to it does.
  return { name, kind: "write", scale, work };
}

function cartAdditions(lines: number, items: readonly BenchItem[]): ShopRow {
  const name = `add a line to a cart of ${lines}`;
  const scale = { measure: "add a line to a cart, of lines", size: lines };
  const work = (visitor: Visitor) => fillCart(visitor, items.slice(0, lines));
  return { name, kind: "write", scale, work };
}

/** Adds one unit of an item and returns the text of the response. */
type AddItem = () => Promise<string>;

/** Adds one unit of each item to a cart. The returned function adds one unit of the next item. */
export async function fillCart(visitor: Visitor, items: readonly BenchItem[]): Promise<AddItem> {
  const add = addItemsInTurn(visitor, items);
  for (let added = 0; added < items.length; added += 1) await add();
  return add;
}

/** Adds one unit of each item in turn, and starts a new cart before a line reaches its limit. */
function addItemsInTurn(visitor: Visitor, items: readonly BenchItem[]): AddItem {
  const unitsPerLine = 90;
  let added = 0;
  return () => {
    if (added > 0 && added % (unitsPerLine * items.length) === 0) visitor.startNewSession();
    const item = items[added % items.length];
    added += 1;
    return addItem(visitor, item);
  };
}

/** Sells random products. First puts every product into a cart, so that all are in the cache. */
function sales(items: readonly BenchItem[]): BenchRow["work"] {
  const unsold = [...items];
  return async (visitor) => {
    while (unsold.length > 0) await addItem(visitor, unsold.pop());
    return () => placeSale(visitor, pickNeighbours(items, 2));
  };
}

async function placeSale(visitor: Visitor, items: readonly BenchItem[]): Promise<void> {
  visitor.startNewSession();
  let cart = "";
  for (const item of items) cart = await addItem(visitor, item);
  const placed = await visitor.send({
    method: "POST",
    path: "/api/v1/checkout",
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: {
      cart_id: asText(parseData(cart).id),
      customer: { name: "Ama Mensah", email: "ama@example.com" },
      order_type: "pickup",
      payment_method: "cash",
    },
  });
  if (asText(parseData(placed).order_number) === "")
    throw new Error(`No order was placed: ${placed}`);
}

const addItem = (visitor: Visitor, item: BenchItem | undefined): Promise<string> =>
  visitor.send({
    method: "POST",
    path: "/api/v1/cart/items",
    body: { item_id: item?.productId, variant_id: item?.variantId },
  });

const parseData = (response: string) => asRecord(asRecord(JSON.parse(response)).data);

/** Picks `count` items that are next to each other, from a random position. */
function pickNeighbours(items: readonly BenchItem[], count: number): readonly BenchItem[] {
  const start = Math.floor(Math.random() * (items.length - count));
  return items.slice(start, start + count);
}
