import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { createProduct } from "./create-product.ts";
import { runAllJobs } from "./cron.ts";
import { currentInvocation, runCallsAsInvocations, runInvocation } from "./invocations.ts";
import { takeExceededLimits } from "./platform-limits.ts";
import { createBusiness, shopper } from "./world.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const sendQueries = async (count: number): Promise<void> => {
  await env.SHOP_1.batch(Array.from({ length: count }, () => env.SHOP_1.prepare("select 1")));
};

async function sendThousandQueries(): Promise<void> {
  await sendQueries(500);
  await sendQueries(500);
}

it("refuses the 1,001st D1 query of an invocation, not those of others beside it", async () => {
  await Promise.all([sendThousandQueries(), sendThousandQueries()]); // the test's own
  await Promise.all(["first", "second"].map((name) => runInvocation(name, sendThousandQueries)));
  expect(takeExceededLimits()).toEqual([]);
  const exceed = runInvocation("third", async () => {
    await sendThousandQueries();
    await sendQueries(1);
  });
  await expect(exceed).rejects.toThrow("Too many API requests");
  expect(takeExceededLimits()).toEqual(["1001 D1 queries in third"]);
});

it("tells requests, queue messages and calls of objects apart", async () => {
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  const names = new Set<string | undefined>();
  const prototype: D1Database = Object.getPrototypeOf(env.SHOP_1);
  const { prepare } = prototype;
  vi.spyOn(prototype, "prepare").mockImplementation(function (this: D1Database, query) {
    names.add(currentInvocation()?.name);
    return prepare.call(this, query);
  });
  await shopper(shop)("POST", "/cart/items", { body: { item_id: id } });
  await runAllJobs();
  expect([...names].sort()).toEqual([
    "CartSession.run",
    "POST /api/v1/cart/items",
    "a batch of duka-work",
  ]);
});

it("counts the calls that an object makes to itself to the invocation that makes them", () => {
  class Session {
    alarm(): readonly unknown[] {
      return [currentInvocation(), this.expire()];
    }
    expire(): unknown {
      return currentInvocation();
    }
  }
  runCallsAsInvocations(Session);
  const session = new Session();
  const [own, nested] = session.alarm();
  expect(own).toEqual({ name: "Session.alarm", d1Queries: 0 });
  expect(nested).toBe(own);
  expect(session.expire()).toMatchObject({ name: "Session.expire" });
  expect(currentInvocation()).toBeUndefined();
});
