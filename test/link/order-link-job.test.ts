import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { maxQueries } from "../../functions/background/runs/batches.ts";
import { createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { claimDueIntents, finishOrderIntent } from "../../shared/link/index.ts";
import { outcomeOf } from "../one-time-codes/create-code.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, crashAtEffect, neverCrash } from "../support/faults.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { createLogin, dataOf, type LinkLogin } from "./create-logins.ts";
import {
  createContextWithCrash,
  createOrderEnrolment,
  enrolledState,
  enrollWithTestOrder,
  loadEnrolmentState,
  runCron,
  runCronMinuteLater,
  type ShopWithProduct,
  startTime,
} from "./create-order-enrolment.ts";

let seller: ShopWithProduct;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  const shop = await createBusiness();
  seller = { shop, product: await createProduct(shop) };
});

describe("finishOrderLinks", () => {
  it("finishes an enrolment once with concurrent runs and requests", async () => {
    const enrolment = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    vi.setSystemTime(startTime + 60_000);
    await Promise.all([
      runCron(),
      runCron(),
      enrollWithTestOrder(neverCrash, enrolment),
      enrollWithTestOrder(neverCrash, enrolment),
    ]);
    expect(await loadEnrolmentState(enrolment)).toEqual(enrolledState);
  });

  it("waits for a running request and retries at growing intervals", async () => {
    const enrolment = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    const core = openDb(env.CORE, createMeter());
    const times: number[] = [];
    for (let minute = 0; minute <= 12; minute += 1) {
      const due = await claimDueIntents(core, { now: startTime + minute * 60_000, limit: 1_000 });
      if (due.some(({ orderId }) => orderId === enrolment.sale.id)) times.push(minute);
    }
    expect(times).toEqual([1, 2, 4, 8]);
  });

  it("stays within its query budget", async () => {
    const enrolment = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    const [intent] = await claimDueIntents(openDb(env.CORE, createMeter()), {
      now: startTime + 60_000,
      limit: 1_000,
    });
    if (!intent) throw new Error("No intent was due.");
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
      ...createContextWithCrash(seller.shop, neverCrash),
      db: counting(shard),
      core: counting(env.CORE),
    };
    await finishOrderIntent(ctx, intent);
    expect(await loadEnrolmentState(enrolment)).toEqual(enrolledState);
    expect(queries).toBeLessThanOrEqual(maxQueries.intent);
    expect(queries).toBeGreaterThan(maxQueries.intent / 2);
  });

  it("does not restore records that were removed since", async () => {
    const enrolment = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(3, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    const [intent] = await claimDueIntents(openDb(env.CORE, createMeter()), {
      now: startTime + 60_000,
      limit: 1_000,
    });
    if (!intent) throw new Error("No intent was due.");
    await runCronMinuteLater();
    await runCronMinuteLater();
    const { ask }: LinkLogin = await createLogin(seller.shop, { contact: enrolment.contact });
    const [address] = dataOf(await ask("GET", "/addresses"));
    await ask("DELETE", `/addresses/${address.id}`);
    await finishOrderIntent(createContextWithCrash(seller.shop, neverCrash), intent);
    expect(dataOf(await ask("GET", "/addresses"))).toEqual([]);
  });
});

describe("an order with an unfinished enrolment", () => {
  it("by its contact's owner cannot be linked by another holder of its bill_token", async () => {
    const enrolment = await createOrderEnrolment(seller);
    const other = { ...enrolment, session: (await createOrderEnrolment(seller)).session };
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    expect(await outcomeOf(enrollWithTestOrder(neverCrash, other, true))).toBe("CONFLICT");
    await runCronMinuteLater();
    const [link] = await selectRows(
      seller.shop,
      "select account_id from link_orders where order_id = ?",
      enrolment.sale.id,
    );
    expect(link?.account_id).toBe(enrolment.session.account.id);
  });
});

describe("an order that is enrolled again", () => {
  it("leaves the unfinished enrolments of other orders in place", async () => {
    const unfinished = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), unfinished)).rejects.toBeInstanceOf(
      Crash,
    );
    const enrolment = await createOrderEnrolment(seller);
    await enrollWithTestOrder(neverCrash, enrolment);
    await enrollWithTestOrder(neverCrash, enrolment);
    await runCronMinuteLater();
    expect(await loadEnrolmentState(unfinished)).toMatchObject({
      status: enrolledState.status,
      saved: enrolledState.saved,
      links: 1,
    });
  });
});

describe("an order whose contact was erased before the job ran", () => {
  it("is linked without a customer", async () => {
    const enrolment = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    await selectRows(
      seller.shop,
      "update orders set customer_phone = null where id = ?",
      enrolment.sale.id,
    );
    await runCronMinuteLater();
    expect(await loadEnrolmentState(enrolment)).toEqual({
      ...enrolledState,
      hasCustomer: false,
      events: ["order.created"],
    });
  });
});

describe("the limit of saved records", () => {
  it("counts the records of an unfinished enrolment", async () => {
    const enrolment = await createOrderEnrolment(seller);
    const login = await createLogin(seller.shop, { contact: enrolment.contact });
    const body = { street_address: "12 Ring Road" };
    const add = () => login.ask("POST", "/addresses", { body });
    await Promise.all(Array.from({ length: 49 }, add));
    await expect(enrollWithTestOrder(crashAtEffect(2, "after"), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    expect((await add()).status).toBe(422);
    await runCronMinuteLater();
    expect(dataOf(await login.ask("GET", "/addresses"))).toHaveLength(50);
  });
});
