import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { queriesFor } from "../../functions/background/jobs/query-budget.ts";
import background from "../../functions/background/worker.ts";
import type { CreatedBusiness, MerchantContext } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { openDb, shopOf } from "../../shared/database/index.ts";
import { newMeter, sha256 } from "../../shared/kernel/index.ts";
import {
  claimDueIntents,
  enrollWithOrder,
  finishOrderIntent,
  linkSessionRepo,
  type OpenSession,
} from "../../shared/link/index.ts";
import { outcomeOf } from "../one-time-codes/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { Crash, type Dies, faults, never } from "../support/faults.ts";
import { givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { dataOf, givenLogin, type LoggedIn, somePhone, storefront } from "./given.ts";

const start = Date.parse("2032-01-01T12:00:00Z");

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  product = await givenProduct(shop);
});

const cron = () => background.scheduled(createScheduledController({ cron: "* * * * *" }), env);

const later = async () => {
  vi.setSystemTime(Date.now() + 60_000);
  await cron();
};

const coreThatDies = (dies: Dies) =>
  openDb(
    {
      prepare: (query) => env.CORE.prepare(query),
      batch: <T>(all: D1PreparedStatement[]) => dies(() => env.CORE.batch<T>(all)),
    },
    newMeter(),
  );

const contextThatDies = (dies: Dies): MerchantContext => ({
  ...orderContextFor(shop, { dies }),
  core: coreThatDies(dies),
});

type Given = Readonly<{ contact: string; sale: Sold; session: OpenSession | null }>;

async function given(who: Who): Promise<Given> {
  const contact = somePhone();
  const fields = { customer: { phone: contact } };
  const sale = await givenSale(shop, product.id, { how: "cash", fields });
  if (who === "holder") return { contact, sale, session: null };
  const { accountId, token } = await givenLogin(shop, { contact });
  const { sid } = JSON.parse(
    atob(token.split(".")[1]?.replace(/-/g, "+").replace(/_/g, "/") ?? ""),
  );
  const core = openDb(env.CORE, newMeter());
  const session = await linkSessionRepo(core).open({ sessionId: sid, accountId }, Date.now());
  return { contact, sale, session };
}

type Who = "owner" | "holder";

async function enrol(dies: Dies, { sale, session }: Given, hasToken = session === null) {
  return enrollWithOrder(contextThatDies(dies), {
    orderId: sale.id,
    tokenHash: hasToken ? await sha256(sale.token) : null,
    session,
    address: {
      label: "Home",
      streetAddress: "12 Ring Road",
      apartment: null,
      city: "Accra",
      region: null,
      country: null,
    },
    mobileMoney: { phoneNumber: "+233241234567", provider: "mtn", label: null },
    orderType: "pickup",
  });
}

/** What Link shows of the contact before its owner logs in, and what stands in the two databases. */
async function books({ contact, sale }: Given) {
  const asked = await storefront(shop)("POST", "/check-status", { body: { contact } });
  const of = async (table: string) => {
    const { results } = await env.CORE.prepare(
      `select count(*) as held from ${table} where account_id =
        (select account_id from link_contacts where mode = 'test' and value = ?)`,
    )
      .bind(contact)
      .all();
    return results[0]?.held;
  };
  const [order] = await rowsOf(shop, "select customer_id from orders where id = ?", sale.id);
  const links = await rowsOf(shop, "select order_id from link_orders where order_id = ?", sale.id);
  return {
    shown: asked.body,
    saved: [await of("link_addresses"), await of("link_mobile_money")],
    waiting: await of("link_order_intents"),
    links: links.length,
    hasCustomer: order?.customer_id !== null,
    events: await eventsOf(shop),
  };
}

const untouched = {
  shown: { is_link_customer: false },
  saved: [0, 0],
  waiting: 0,
  links: 0,
  hasCustomer: false,
  events: ["order.created"],
};
const doneBy = {
  owner: {
    shown: { is_link_customer: true },
    saved: [1, 1],
    waiting: 0,
    links: 1,
    hasCustomer: true,
    events: ["order.created", "order.updated"],
  },
  holder: {
    shown: { is_link_customer: true },
    saved: [1, 1],
    waiting: 0,
    links: 1,
    hasCustomer: false,
    events: ["order.created"],
  },
};

/** The order read, the intent, the shop's batch, CORE's last batch. */
const effects = 4;
const isWritten = (at: number, when: "before" | "after") =>
  at > 2 || (at === 2 && when === "after");

const crashes = (["owner", "holder"] as const).flatMap((who) =>
  Array.from({ length: effects }, (_, index) => [
    { who, at: index + 1, when: "before" as const },
    { who, at: index + 1, when: "after" as const },
  ]).flat(),
);

describe("an enrolment with an order that dies", () => {
  it.each(crashes)(
    "$when effect $at of the $who shows nothing, and is whole or not at all once the job has run",
    async ({ who, at, when }) => {
      const someone = await given(who);
      await expect(enrol(faults(at, when), someone)).rejects.toBeInstanceOf(Crash);
      const isOver = at === effects && when === "after";
      const { shown, saved } = isOver ? doneBy[who] : untouched;
      expect(await books(someone)).toMatchObject({ shown, saved });
      await later();
      const expected = isWritten(at, when) ? doneBy[who] : untouched;
      expect(await books(someone)).toEqual(expected);
      await later();
      expect(await books(someone)).toEqual(expected);
    },
  );

  it.each(crashes)(
    "$when effect $at of the $who happens once when it is asked for again",
    async ({ who, at, when }) => {
      const someone = await given(who);
      await expect(enrol(faults(at, when), someone)).rejects.toBeInstanceOf(Crash);
      await enrol(never, someone);
      expect(await books(someone)).toEqual(doneBy[who]);
      await later();
      expect(await books(someone)).toEqual(doneBy[who]);
    },
  );

  it("has as many effects as the table above says", async () => {
    for (const who of ["owner", "holder"] as const) {
      let counted = 0;
      const counting: Dies = (effect) => {
        counted += 1;
        return effect();
      };
      await enrol(counting, await given(who));
      expect(counted).toBe(effects);
    }
  });
});

describe("an enrolment with an order that another request overtakes", () => {
  const places = [2, 3, 4].flatMap((at) => [
    { who: "owner" as const, at },
    { who: "holder" as const, at },
  ]);

  it.each(places)("before effect $at, of the $who, happens once", async ({ who, at }) => {
    const someone = await given(who);
    let counted = 0;
    const overtaken: Dies = async (effect) => {
      counted += 1;
      if (counted === at) await enrol(never, someone);
      return effect();
    };
    await enrol(overtaken, someone);
    expect(await books(someone)).toEqual(doneBy[who]);
  });

  it("is refused when that was another account's", async () => {
    const someone = await given("owner");
    const other = { ...someone, session: (await given("owner")).session };
    let counted = 0;
    const overtaken: Dies = async (effect) => {
      counted += 1;
      if (counted === 2) await enrol(never, other, true);
      return effect();
    };
    expect(await outcomeOf(enrol(overtaken, someone))).toBe("CONFLICT");
    expect(await books(someone)).toMatchObject({ saved: [0, 0], waiting: 0, links: 1 });
  });
});

describe("the job that finishes enrolments with an order", () => {
  it("does it once, however many run at once and beside a repeated request", async () => {
    const someone = await given("owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    vi.setSystemTime(start + 60_000);
    await Promise.all([cron(), cron(), enrol(never, someone), enrol(never, someone)]);
    expect(await books(someone)).toEqual(doneBy.owner);
  });

  it("leaves an intent alone whose request still runs, and comes again at growing distances", async () => {
    const someone = await given("owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    const core = openDb(env.CORE, newMeter());
    const times: number[] = [];
    for (let minute = 0; minute <= 12; minute += 1) {
      const due = await claimDueIntents(core, { now: start + minute * 60_000, limit: 1_000 });
      if (due.some(({ orderId }) => orderId === someone.sale.id)) times.push(minute);
    }
    expect(times).toEqual([1, 2, 4, 8]);
  });

  it("costs D1 no more queries than a run reckons with", async () => {
    const someone = await given("owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    const [intent] = await claimDueIntents(openDb(env.CORE, newMeter()), {
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
        newMeter(),
      );
    const shard = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
    const ctx = { ...contextThatDies(never), db: counting(shard), core: counting(env.CORE) };
    await finishOrderIntent(ctx, intent);
    expect(await books(someone)).toEqual(doneBy.owner);
    expect(queries).toBeLessThanOrEqual(queriesFor.intent);
    expect(queries).toBeGreaterThan(queriesFor.intent / 2);
  });

  it("does not bring back what was removed since", async () => {
    const someone = await given("owner");
    await expect(enrol(faults(3, "after"), someone)).rejects.toBeInstanceOf(Crash);
    const [intent] = await claimDueIntents(openDb(env.CORE, newMeter()), {
      now: start + 60_000,
      limit: 1_000,
    });
    if (!intent) throw new Error("nothing was due");
    await later();
    await later();
    const { ask }: LoggedIn = await givenLogin(shop, { contact: someone.contact });
    const [address] = dataOf(await ask("GET", "/addresses"));
    await ask("DELETE", `/addresses/${address.id}`);
    await finishOrderIntent(contextThatDies(never), intent);
    expect(dataOf(await ask("GET", "/addresses"))).toEqual([]);
  });
});

describe("an order whose enrolment is under way", () => {
  it.each([
    ["its contact's owner", "the bill_token's holder, logged in", false],
    ["the bill_token's holder, logged in", "the bill_token's holder, who is not", true],
  ] as const)("by %s is no other account's, such as of %s", async (_first, _other, isSwapped) => {
    const someone = await given("owner");
    const stranger = { ...someone, session: (await given("owner")).session };
    const [first, other] = isSwapped
      ? [stranger, { ...someone, session: null }]
      : [someone, stranger];
    await expect(enrol(faults(2, "after"), first, true)).rejects.toBeInstanceOf(Crash);
    expect(await outcomeOf(enrol(never, other, true))).toBe("CONFLICT");
    await later();
    const [link] = await rowsOf(
      shop,
      "select account_id from link_orders where order_id = ?",
      someone.sale.id,
    );
    expect(link?.account_id).toBe(first.session?.account.id);
  });
});

describe("an order whose contact was erased before the job came", () => {
  it("is linked, and gets no customer by that contact", async () => {
    const someone = await given("owner");
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    await rowsOf(shop, "update orders set customer_phone = null where id = ?", someone.sale.id);
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
    const someone = await given("owner");
    const login = await givenLogin(shop, { contact: someone.contact });
    const body = { street_address: "12 Ring Road" };
    const add = () => login.ask("POST", "/addresses", { body });
    await Promise.all(Array.from({ length: 49 }, add));
    await expect(enrol(faults(2, "after"), someone)).rejects.toBeInstanceOf(Crash);
    expect((await add()).status).toBe(422);
    await later();
    expect(dataOf(await login.ask("GET", "/addresses"))).toHaveLength(50);
  });
});
