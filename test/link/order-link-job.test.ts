import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { queriesFor } from "../../functions/background/jobs/query-budget.ts";
import { openDb, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { claimDueIntents, finishOrderIntent } from "../../shared/link/index.ts";
import { outcomeOf } from "../one-time-codes/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { Crash, faults, never } from "../support/faults.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import {
  books,
  contextThatDies,
  cron,
  doneBy,
  enrol,
  givenEnrolling,
  later,
  type Seller,
  start,
} from "./enrolling.ts";
import { dataOf, givenLogin, type LoggedIn } from "./given.ts";

let seller: Seller;

beforeEach(async () => {
  vi.setSystemTime(start);
  const shop = await givenBusiness();
  seller = { shop, product: await givenProduct(shop) };
});

describe("the job that finishes enrolments with an order", () => {
  it("does it once, however many run at once and beside a repeated request", async () => {
    const someone = await givenEnrolling(seller, "owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    vi.setSystemTime(start + 60_000);
    await Promise.all([cron(), cron(), enrol(never, someone), enrol(never, someone)]);
    expect(await books(someone)).toEqual(doneBy.owner);
  });

  it("leaves an intent alone whose request still runs, and comes again at growing distances", async () => {
    const someone = await givenEnrolling(seller, "owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    const core = openDb(env.CORE, createMeter());
    const times: number[] = [];
    for (let minute = 0; minute <= 12; minute += 1) {
      const due = await claimDueIntents(core, { now: start + minute * 60_000, limit: 1_000 });
      if (due.some(({ orderId }) => orderId === someone.sale.id)) times.push(minute);
    }
    expect(times).toEqual([1, 2, 4, 8]);
  });

  it("costs D1 no more queries than a run reckons with", async () => {
    const someone = await givenEnrolling(seller, "owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    const [intent] = await claimDueIntents(openDb(env.CORE, createMeter()), {
      now: start + 60_000,
      limit: 1_000,
    });
    if (!intent) throw new Error("nothing was due");
    let queries = 0;
    const counting = (d1: D1Database) =>
      openDb(
        {
          prepare: (query) => {
            queries += 1;
            return d1.prepare(query);
          },
          batch: (all) => d1.batch(all),
        },
        createMeter(),
      );
    const shard = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, seller.shop.business);
    const ctx = {
      ...contextThatDies(seller.shop, never),
      db: counting(shard),
      core: counting(env.CORE),
    };
    await finishOrderIntent(ctx, intent);
    expect(await books(someone)).toEqual(doneBy.owner);
    expect(queries).toBeLessThanOrEqual(queriesFor.intent);
    expect(queries).toBeGreaterThan(queriesFor.intent / 2);
  });

  it("does not bring back what was removed since", async () => {
    const someone = await givenEnrolling(seller, "owner");
    await expect(enrol(faults(3, "after"), someone)).rejects.toBeInstanceOf(Crash);
    const [intent] = await claimDueIntents(openDb(env.CORE, createMeter()), {
      now: start + 60_000,
      limit: 1_000,
    });
    if (!intent) throw new Error("nothing was due");
    await later();
    await later();
    const { ask }: LoggedIn = await givenLogin(seller.shop, { contact: someone.contact });
    const [address] = dataOf(await ask("GET", "/addresses"));
    await ask("DELETE", `/addresses/${address.id}`);
    await finishOrderIntent(contextThatDies(seller.shop, never), intent);
    expect(dataOf(await ask("GET", "/addresses"))).toEqual([]);
  });
});

describe("an order whose enrolment is under way", () => {
  it.each([
    ["its contact's owner", "the bill_token's holder, logged in", false],
    ["the bill_token's holder, logged in", "the bill_token's holder, who is not", true],
  ] as const)("by %s is no other account's, such as of %s", async (_first, _other, isSwapped) => {
    const someone = await givenEnrolling(seller, "owner");
    const stranger = { ...someone, session: (await givenEnrolling(seller, "owner")).session };
    const [first, other] = isSwapped
      ? [stranger, { ...someone, session: null }]
      : [someone, stranger];
    await expect(enrol(faults(2, "after"), first, true)).rejects.toBeInstanceOf(Crash);
    expect(await outcomeOf(enrol(never, other, true))).toBe("CONFLICT");
    await later();
    const [link] = await rowsOf(
      seller.shop,
      "select account_id from link_orders where order_id = ?",
      someone.sale.id,
    );
    expect(link?.account_id).toBe(first.session?.account.id);
  });
});

describe("an order whose contact was erased before the job came", () => {
  it("is linked, and gets no customer by that contact", async () => {
    const someone = await givenEnrolling(seller, "owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    await rowsOf(
      seller.shop,
      "update orders set customer_phone = null where id = ?",
      someone.sale.id,
    );
    await later();
    expect(await books(someone)).toEqual({
      ...doneBy.owner,
      hasCustomer: false,
      events: ["order.created"],
    });
  });
});

describe("the room that an enrolment takes", () => {
  it("is its own from the intent on: nobody else fills it before the end", async () => {
    const someone = await givenEnrolling(seller, "owner");
    const login = await givenLogin(seller.shop, { contact: someone.contact });
    const body = { street_address: "12 Ring Road" };
    const add = () => login.ask("POST", "/addresses", { body });
    await Promise.all(Array.from({ length: 49 }, add));
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    expect((await add()).status).toBe(422);
    await later();
    expect(dataOf(await login.ask("GET", "/addresses"))).toHaveLength(50);
  });
});
