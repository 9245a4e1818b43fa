import { type BareRuntime, startBareWorkers } from "./bare-workers.ts";
import type { BenchShop } from "./create-shop.ts";
import { type BenchRow, cartSizes, fillCart } from "./rows.ts";
import { createVisitor } from "./visitor.ts";

const front = `export default {
  fetch: (request, { STOREFRONT }) => STOREFRONT.fetch(request),
};`;

/**
 * The least work for a cart: an object returns a number of bytes, and stores one row first when the
 * request adds to the cart.
 */
const storefront = `import { DurableObject } from "cloudflare:workers";

export class Cart extends DurableObject {
  constructor(state, env) {
    super(state, env);
    state.storage.sql.exec("create table if not exists writes (id integer primary key, count integer)");
  }
  add(bytes) {
    this.ctx.storage.sql.exec(
      "insert into writes values (1, 1) on conflict (id) do update set count = count + 1");
    return this.read(bytes);
  }
  read(bytes) {
    if (this.response?.length !== bytes) this.response = new Uint8Array(bytes).fill(32);
    return this.response;
  }
}

export default {
  async fetch(request, { CART }) {
    const [, name, bytes] = new URL(request.url).pathname.split("/");
    const cart = CART.getByName(name);
    await request.text();
    const response = await (request.method === "POST" ? cart.add(Number(bytes)) : cart.read(Number(bytes)));
    return new Response(response, { headers: { "Content-Type": "application/json" } });
  },
};`;

/** Starts the minimal cart object behind a front Worker, as in Duka. */
export const startCartFloor = (): Promise<BareRuntime> =>
  startBareWorkers([
    { name: "front", script: front, serviceBindings: { STOREFRONT: "storefront" } },
    {
      name: "storefront",
      script: storefront,
      durableObjects: { CART: { className: "Cart", useSQLite: true } },
    },
  ]);

/**
 * Creates rows that show how fast reading and adding to a cart can be at most. They send as many
 * bytes as Duka does, through as many Workers, but do none of Duka's work.
 */
export const createCartFloorRows = (
  { publishableKey, items }: BenchShop,
  { service, floor }: Readonly<{ service: URL; floor: URL }>,
): readonly BenchRow[] =>
  floorCalls.flatMap(({ name, measure, method }) =>
    cartSizes.map((lines) => ({
      name: `  floor: ${name} ${lines}`,
      kind: "write",
      scale: { measure: `  floor: ${measure}`, size: lines },
      publishableKey,
      origin: floor,
      async work(visitor) {
        const shopper = createVisitor(service, { "X-Public-Key": publishableKey });
        const add = await fillCart(shopper, items.slice(0, lines));
        const bytes = Buffer.byteLength(await add());
        shopper.disconnect();
        const path = `/${crypto.randomUUID()}/${bytes}`;
        const body = { item_id: items[0]?.productId, variant_id: items[0]?.variantId };
        return () => visitor.send(method === "POST" ? { method, path, body } : { method, path });
      },
    })),
  );

const floorCalls = [
  { name: "read the bytes of a cart of", measure: "as many bytes", method: "GET" },
  { name: "the bytes of a cart of", measure: "one row stored, as many bytes", method: "POST" },
] as const;
