import { record, text } from "../scripts/seed/api.ts";
import type { Unit } from "./load.ts";
import type { Item, Shop } from "./shop.ts";
import type { Visitor } from "./visitor.ts";

/** Something that is measured; a further one is one more entry of `rowsOf`. */
export type Row = Readonly<{
  name: string;
  publishableKey: string;
  /** Where it is asked, should that not be the service. */
  origin?: URL;
  /** Readies a visitor; what comes back is repeated and timed. */
  work(visitor: Visitor): Unit | Promise<Unit>;
  /** A read is held against the trivial routes; one that D1 answers is cold. */
  kind: "trivial" | "read" | "cold" | "write";
  peers?: Peers;
  /** What of, for rows that are one measure at several sizes. */
  scale?: Scale;
}>;

/** Per second, on a two-core machine (architecture.md, Speed); `aim` is times the better one. */
export type Peers = Readonly<{ vendure: number; medusa: number; aim: number }>;

export type Scale = Readonly<{ measure: string; size: number }>;

/** The first two are trivial: the front alone, and one Worker further, where its middleware runs. */
export const rowsOf = ({ publishableKey, items }: Shop): readonly Row[] =>
  ownRows(items).map((row) => ({ ...row, publishableKey }));

type OwnRow = Omit<Row, "publishableKey" | "origin">;

export const cartSizes: readonly number[] = [1, 100, 200];

const ownRows = (items: readonly Item[]): readonly OwnRow[] => [
  {
    name: "trivial: /healthz of the front",
    kind: "trivial",
    work: (visitor) => () => visitor.call({ path: "/healthz" }),
  },
  {
    name: "trivial: /healthz of the storefront",
    kind: "trivial",
    work: (visitor) => () => visitor.call({ path: "/api/v1/healthz" }),
  },
  {
    name: "product list, 20",
    kind: "read",
    peers: { vendure: 246, medusa: 35, aim: 10 },
    work: (visitor) => () => visitor.call({ path: "/api/v1/catalogue/products?limit=20" }),
  },
  {
    name: "product detail",
    kind: "read",
    peers: { vendure: 332, medusa: 260, aim: 8 },
    work: detailsOf(items),
  },
  {
    name: "add a line to a cart",
    kind: "write",
    peers: { vendure: 107, medusa: 16, aim: 5 },
    work: (visitor) => addsInTurn(visitor, someOf(items, 10)),
  },
  ...cartSizes.map((lines) => readsOfCartOf(lines, items)),
  ...cartSizes.map((lines) => addsToCartOf(lines, items)),
  {
    name: "whole sale: 2 lines, cash, placed",
    kind: "write",
    peers: { vendure: 13, medusa: 3, aim: 8 },
    work: salesOf(items),
  },
];

/** Random products, each of which somebody read before. */
function detailsOf(items: readonly Item[]): Row["work"] {
  const unread = [...items];
  const read = (visitor: Visitor, item: Item | undefined) =>
    visitor.call({ path: `/api/v1/catalogue/products/${item?.productId}` });
  return async (visitor) => {
    while (unread.length > 0) await read(visitor, unread.pop());
    return () => read(visitor, someOf(items, 1)[0]);
  };
}

/** What the same answer costs without the write: its bytes on their way through three Workers. */
function readsOfCartOf(lines: number, items: readonly Item[]): OwnRow {
  const name = `read a cart of ${lines}`;
  const scale = { measure: "read a cart, of lines", size: lines };
  const work = async (visitor: Visitor) => {
    await filledCart(visitor, items.slice(0, lines));
    return () => visitor.call({ path: "/api/v1/cart" });
  };
  return { name, kind: "write", scale, work }; // of an object, as the adds: not held against trivial routes
}

function addsToCartOf(lines: number, items: readonly Item[]): OwnRow {
  const name = `add a line to a cart of ${lines}`;
  const scale = { measure: "add a line to a cart, of lines", size: lines };
  const work = (visitor: Visitor) => filledCart(visitor, items.slice(0, lines));
  return { name, kind: "write", scale, work };
}

/** The answer's text comes back. */
type Add = () => Promise<string>;

/** A cart of all the items; what comes back adds one more piece of each in turn. */
export async function filledCart(visitor: Visitor, items: readonly Item[]): Promise<Add> {
  const add = addsInTurn(visitor, items);
  for (let added = 0; added < items.length; added += 1) await add();
  return add;
}

/** One piece more of each item in turn; a new cart before a line is full. */
function addsInTurn(visitor: Visitor, items: readonly Item[]): Add {
  const piecesOfLine = 90;
  let added = 0;
  return () => {
    if (added > 0 && added % (piecesOfLine * items.length) === 0) visitor.forget();
    const item = items[added % items.length];
    added += 1;
    return addItem(visitor, item);
  };
}

/** Sales of random products, each of which was in a cart before. */
function salesOf(items: readonly Item[]): Row["work"] {
  const unsold = [...items];
  return async (visitor) => {
    while (unsold.length > 0) await addItem(visitor, unsold.pop());
    return () => sale(visitor, someOf(items, 2));
  };
}

async function sale(visitor: Visitor, items: readonly Item[]): Promise<void> {
  visitor.forget();
  let cart = "";
  for (const item of items) cart = await addItem(visitor, item);
  const placed = await visitor.call({
    method: "POST",
    path: "/api/v1/checkout",
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: {
      cart_id: text(dataOf(cart).id),
      customer: { name: "Ama Mensah", email: "ama@example.com" },
      order_type: "pickup",
      payment_method: "cash",
    },
  });
  if (text(dataOf(placed).order_number) === "") throw new Error(`No order was placed: ${placed}`);
}

const addItem = (visitor: Visitor, item: Item | undefined): Promise<string> =>
  visitor.call({
    method: "POST",
    path: "/api/v1/cart/items",
    body: { item_id: item?.productId, variant_id: item?.variantId },
  });

const dataOf = (answer: string) => record(record(JSON.parse(answer)).data);

/** So many neighbours from a random place. */
function someOf(items: readonly Item[], count: number): readonly Item[] {
  const start = Math.floor(Math.random() * (items.length - count));
  return items.slice(start, start + count);
}
