import { record, text } from "../scripts/seed/api.ts";
import type { Unit } from "./load.ts";
import type { Item, Shop } from "./shop.ts";
import type { Visitor } from "./visitor.ts";

/** A call that is measured; a further one is an entry of `rowsOf` more. */
export type Row = Readonly<{
  name: string;
  /** Makes a visitor's work: what it returns is repeated. */
  work(visitor: Visitor): Unit;
  /** Once, before it is measured. */
  prepare?(visitor: Visitor): Promise<unknown>;
  /** Whether it is held against the trivial route's rate. */
  isRead?: boolean;
  peers?: Peers;
}>;

/** Per second, on a two-core machine (architecture.md, Speed); `aim` is times the better one. */
type Peers = Readonly<{ vendure: number; medusa: number; aim: number }>;

/** The first is the trivial route, which the reads are held against. */
export const rowsOf = ({ items }: Shop): readonly Row[] => [
  {
    name: "front /healthz",
    work: (visitor) => () => visitor.call({ path: "/healthz" }),
  },
  {
    name: "storefront /healthz",
    isRead: true,
    work: (visitor) => () => visitor.call({ path: "/api/v1/healthz" }),
  },
  {
    name: "product list, 20",
    isRead: true,
    peers: { vendure: 246, medusa: 35, aim: 10 },
    work: (visitor) => () => visitor.call({ path: "/api/v1/catalogue/products?limit=20" }),
  },
  {
    name: "product detail",
    isRead: true,
    peers: { vendure: 332, medusa: 260, aim: 8 },
    prepare: async (visitor) => {
      for (const item of items) await visitor.call(detailOf(item));
    },
    work: (visitor) => () => visitor.call(detailOf(pick(items))),
  },
  {
    name: "add a line to a cart",
    peers: { vendure: 107, medusa: 16, aim: 5 },
    work: addsTo(10),
  },
  {
    name: "whole sale: 2 lines, cash",
    peers: { vendure: 13, medusa: 3, aim: 8 },
    work: (visitor) => () => sale(visitor, pick(items), pick(items)),
  },
];
