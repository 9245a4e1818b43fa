import { type Bare, startBare } from "./bare.ts";
import { cartSizes, filledCart, type Row } from "./rows.ts";
import type { Shop } from "./shop.ts";
import { visitorAt } from "./visitor.ts";

const front = `export default {
  fetch: (request, { STOREFRONT }) => STOREFRONT.fetch(request),
};`;

/** The least that an add can be: an object that stores one row and answers with so many bytes. */
const storefront = `import { DurableObject } from "cloudflare:workers";

export class Cart extends DurableObject {
  constructor(state, env) {
    super(state, env);
    state.storage.sql.exec("create table if not exists writes (id integer primary key, count integer)");
  }
  add(bytes) {
    this.ctx.storage.sql.exec(
      "insert into writes values (1, 1) on conflict (id) do update set count = count + 1");
    if (this.answer?.length !== bytes) this.answer = new Uint8Array(bytes).fill(32);
    return this.answer;
  }
}

export default {
  async fetch(request, { CART }) {
    const [, name, bytes] = new URL(request.url).pathname.split("/");
    await request.text();
    return new Response(await CART.getByName(name).add(Number(bytes)), {
      headers: { "Content-Type": "application/json" },
    });
  },
};`;

/** Runs it behind a front, as the service's object is. */
export const startCartFloor = (): Promise<Bare> =>
  startBare([
    { name: "front", script: front, serviceBindings: { STOREFRONT: "storefront" } },
    {
      name: "storefront",
      script: storefront,
      durableObjects: { CART: { className: "Cart", useSQLite: true } },
    },
  ]);

/**
 * What the growth of an add cannot be less than: at each size as many bytes as the service answers,
 * on the way that they take there, and no work.
 */
export const cartFloorRowsOf = (
  { publishableKey, items }: Shop,
  { service, floor }: Readonly<{ service: URL; floor: URL }>,
): readonly Row[] =>
  cartSizes.map((lines) => ({
    name: `  floor: the bytes of a cart of ${lines}`,
    kind: "write",
    scale: { measure: "  floor: one row stored, as many bytes", size: lines },
    publishableKey,
    origin: floor,
    async work(visitor) {
      const shopper = visitorAt(service, { "X-Public-Key": publishableKey });
      const add = await filledCart(shopper, items.slice(0, lines));
      const bytes = Buffer.byteLength(await add());
      shopper.leave();
      const path = `/${crypto.randomUUID()}/${bytes}`;
      const body = { item_id: items[0]?.productId, variant_id: items[0]?.variantId };
      return () => visitor.call({ method: "POST", path, body });
    },
  }));
