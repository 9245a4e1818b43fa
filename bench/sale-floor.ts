import { type BareRuntime, startBareWorkers } from "./bare-workers.ts";
import type { BenchRow } from "./rows.ts";

const front = `export default {
  fetch: (request, { STOREFRONT }) => STOREFRONT.fetch(request),
};`;

/**
 * What a whole sale stores, without any of Duka's work: a new object with two changes of a cart, the
 * plan, one batch of nine rows in D1, the result, and an alarm that is set, brought forward and set
 * back.
 */
const storefront = `import { DurableObject } from "cloudflare:workers";

const month = 30 * 24 * 60 * 60_000;
const line = "x".repeat(500);

export class SaleRecord extends DurableObject {
  add() {
    const { storage } = this.ctx;
    if (storage.kv.get("cart") === undefined) storage.setAlarm(Date.now() + month);
    storage.kv.put("cart", (storage.kv.get("cart") ?? "") + line);
    return { items: storage.kv.get("cart") };
  }
  async checkOut() {
    const { storage } = this.ctx;
    storage.kv.put("checkout", storage.kv.get("cart"));
    storage.setAlarm(Date.now() + 60_000);
    const insert = this.env.SHOP.prepare("insert into records (body) values (?)");
    await this.env.SHOP.batch(Array.from({ length: 9 }, () => insert.bind(line)));
    storage.kv.put("checkout", "");
    storage.kv.put("cart", "");
    storage.setAlarm(Date.now() + month);
    return { order: line };
  }
  alarm() {}
}

export default {
  async fetch(request, { CART, SHOP }) {
    const [, name, call] = new URL(request.url).pathname.split("/");
    const body = await request.json();
    if (call === "prepare") {
      await SHOP.exec("create table if not exists records (id integer primary key, body text)");
      return Response.json(body);
    }
    const cart = CART.getByName(name);
    return Response.json(await (call === "checkout" ? cart.checkOut() : cart.add()));
  },
};`;

/** Starts the minimal shop behind a front Worker, as in Duka. */
export const startSaleFloor = (): Promise<BareRuntime> =>
  startBareWorkers([
    { name: "front", script: front, serviceBindings: { STOREFRONT: "storefront" } },
    {
      name: "storefront",
      script: storefront,
      durableObjects: { CART: { className: "SaleRecord", useSQLite: true } },
      d1Databases: { SHOP: "shop" },
    },
  ]);

/** The row that shows how fast a whole sale can be at most on this machine and its disk. */
export const createSaleFloorRow = (origin: URL): BenchRow => ({
  name: "  floor: what a whole sale stores",
  kind: "write",
  publishableKey: "",
  origin,
  async work(visitor) {
    const post = (path: string) => visitor.send({ method: "POST", path, body: { quantity: 1 } });
    await post("/any/prepare");
    return async () => {
      const cart = crypto.randomUUID();
      await post(`/${cart}/add`);
      await post(`/${cart}/add`);
      await post(`/${cart}/checkout`);
    };
  },
});
