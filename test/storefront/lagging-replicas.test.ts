import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { second } from "../../shared/kernel/index.ts";
import { withBindings } from "../support/bindings.ts";
import { createProduct } from "../support/create-product.ts";
import { call, createBusiness, dataOf, merchant } from "../support/world.ts";

type Replicated = Pick<D1Database, "prepare" | "batch" | "withSession">;

/**
 * A database whose replicas never learn of a change: a session that may use one repeats the first
 * results of each query. Other sessions and calls without a session read the primary.
 */
function withLaggingReplicas(primary: D1Database): Replicated {
  const firstResults = new Map<string, Promise<unknown>>();
  const readReplica = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const result = (firstResults.get(key) ?? read()) as Promise<T>; // safe: stored by the same key
    firstResults.set(key, result);
    return result;
  };
  function lagging(session: D1DatabaseSession): D1DatabaseSession {
    const plain = new WeakMap<
      D1PreparedStatement,
      { statement: D1PreparedStatement; key: string }
    >();
    const wrap = (statement: D1PreparedStatement, key: string): D1PreparedStatement => {
      const wrapped = {
        bind: (...values: unknown[]) =>
          wrap(statement.bind(...values), key + JSON.stringify(values)),
        all: () => readReplica(`all ${key}`, () => statement.all()),
        raw: () => readReplica(`raw ${key}`, () => statement.raw()),
      } as unknown as D1PreparedStatement; // safe: drizzle calls no other method
      plain.set(wrapped, { statement, key });
      return wrapped;
    };
    const batch = (statements: D1PreparedStatement[]) => {
      const known = statements.flatMap((statement) => plain.get(statement) ?? []);
      return readReplica(JSON.stringify(known.map(({ key }) => key)), () =>
        session.batch(known.map(({ statement }) => statement)),
      );
    };
    const prepare = (text: string) => wrap(session.prepare(text), text);
    return { prepare, batch, getBookmark: () => null } as D1DatabaseSession;
  }
  return {
    prepare: (text) => primary.prepare(text),
    batch: (statements) => primary.batch(statements),
    withSession: (constraint = "first-unconstrained") =>
      constraint === "first-unconstrained"
        ? lagging(primary.withSession(constraint))
        : primary.withSession(constraint),
  };
}

describe("read replicas that lag", () => {
  it("delay no change of the catalogue and no revoked key beyond the caches' 5 seconds", async () => {
    const replicated = withBindings({
      CORE: withLaggingReplicas(env.CORE),
      SHOP_1: withLaggingReplicas(env.SHOP_1),
      SHOP_2: withLaggingReplicas(env.SHOP_2),
    });
    const shop = await createBusiness();
    const product = await createProduct(shop, { name: "Tea" });
    const read = () =>
      call("GET", `/api/v1/catalogue/products/${product.id}`, {
        headers: { "X-Public-Key": shop.keys.publishable },
        fetch: replicated,
      });
    const list = () =>
      call("GET", "/api/v1/catalogue/products", {
        headers: { "X-Public-Key": shop.keys.publishable },
        fetch: replicated,
      });
    expect([dataOf(await read()).name, dataOf(await list()).items[0].name]).toEqual(["Tea", "Tea"]);

    await merchant(shop)("PATCH", `/products/${product.id}`, { body: { name: "Cocoa" } });
    vi.setSystemTime(Date.now() + 6 * second);
    await read(); // a stale version is refreshed in the background
    vi.setSystemTime(Date.now() + 6 * second);
    expect([dataOf(await read()).name, dataOf(await list()).items[0].name]).toEqual([
      "Cocoa",
      "Cocoa",
    ]);

    await env.CORE.prepare("update api_keys set revoked_at = 1 where business_id = ?")
      .bind(shop.business.id)
      .run();
    vi.setSystemTime(Date.now() + 6 * second);
    await read(); // a stale key is read again in the background
    vi.setSystemTime(Date.now() + 6 * second);
    expect((await read()).status).toBe(401);
  });
});
