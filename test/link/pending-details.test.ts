import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { purgeLinkRecords } from "../../functions/background/jobs/housekeeping.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { type ApiResponse, createBusiness, roundTrips } from "../support/world.ts";
import {
  addContact,
  callLink,
  createLogin,
  dataOf,
  homeAddress,
  type LinkLogin,
  refusalBody,
  storefrontCaller,
  uniqueEmail,
  uniqueNetworkAddress,
  uniquePhone,
} from "./create-logins.ts";

const wallet = { phone_number: "024 123 4567", provider: "telecel", label: "Mine" };

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness({ name: "Corner Books" });
  product = await createProduct(shop);
});

const createOrderFor = (phone: string): Promise<PlacedOrder> =>
  createOrder(shop, product.id, { payWith: "cash", fields: { customer: { phone } } });

/** Enrols the order without a session. */
const linkByToken = ({ id, token }: PlacedOrder, over: object = {}): Promise<ApiResponse> =>
  callLink("POST", "/enroll-and-link-order", {
    headers: { "CF-Connecting-IP": uniqueNetworkAddress() },
    body: {
      ...{ order_id: id, business_id: shop.business.id, bill_token: token },
      ...{ address: homeAddress, mobile_money: wallet, order_type: "pickup" },
      ...over,
    },
  });

const listPending = async ({ ask }: LinkLogin) => dataOf(await ask("GET", "/pending-details"));

const nothingSaved = {
  addresses: [],
  mobile_money: [],
  default_address: null,
  default_mobile_money: null,
  preferences: { preferred_order_type: null },
};

describe("details that came without a session of the account", () => {
  it("wait for the owner, and are no part of the account", async () => {
    const login = await createLogin(shop);
    const sale = await createOrderFor(login.contact);
    expect(await linkByToken(sale)).toMatchObject({ status: 200 });
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject(nothingSaved);
    expect(await listPending(login)).toEqual([
      {
        id: expect.stringMatching(/^pend_/),
        business_name: "Corner Books",
        order_id: sale.id,
        name: null,
        address: { ...homeAddress, apartment: null, country: null },
        mobile_money: { phone_number: "+233241234567", provider: "vod", label: "Mine" },
        order_type: "pickup",
        created_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it("wait for a contact that logs in for the first time, too", async () => {
    const contact = uniquePhone();
    const sale = await createOrderFor(contact);
    const { account_id } = dataOf(await linkByToken(sale));
    const login = await createLogin(shop, { contact });
    expect(login.accountId).toBe(account_id);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject(nothingSaved);
    expect(await listPending(login)).toMatchObject([{ order_id: sale.id }]);
    expect((await login.ask("GET", "/preferences")).status).toBe(200);
  });

  it("wait once when the call is repeated, and not again after the owner has decided", async () => {
    const login = await createLogin(shop);
    const sale = await createOrderFor(login.contact);
    await Promise.all([linkByToken(sale), linkByToken(sale), linkByToken(sale)]);
    const [{ id }, ...others] = await listPending(login);
    expect(others).toEqual([]);
    await login.ask("DELETE", `/pending-details/${id}`);
    await linkByToken(sale);
    expect(await listPending(login)).toEqual([]);
  });

  it("contain the name of an enrolment without a session", async () => {
    const contact = uniqueEmail();
    const enroll = (name?: string) =>
      storefrontCaller(shop)("POST", "/enroll", { body: { contact, name } });
    await enroll();
    await enroll("Ama");
    const login = await createLogin(shop, { contact });
    const [{ id, name, order_id }, ...others] = await listPending(login);
    expect([name, order_id, others]).toEqual(["Ama", null, []]);
    expect(dataOf(await login.ask("GET", "/data")).customer.name).toBeNull();
    expect((await login.ask("POST", `/pending-details/${id}/confirm`)).status).toBe(200);
    expect(dataOf(await login.ask("GET", "/data")).customer.name).toBe("Ama");
    await enroll("Kofi");
    expect(await listPending(login)).toEqual([]);
  });

  it("take no place of a saved record, and are never pushed out by further ones", async () => {
    const login = await createLogin(shop);
    const email = uniqueEmail();
    expect((await addContact(shop, login, email)).status).toBe(200);
    const other = await createBusiness();
    const otherProduct = await createProduct(other);
    const sendOrders = async (seller: CreatedBusiness, productId: string) => {
      const ids: string[] = [];
      for (let orders = 0; orders < 7; orders += 1) {
        const customer = orders % 2 === 0 ? { phone: login.contact } : { email };
        const sale = await createOrder(seller, productId, {
          payWith: "cash",
          fields: { customer },
        });
        vi.setSystemTime(Date.now() + 1_000);
        const answer = await linkByToken(sale, { business_id: seller.business.id });
        expect(answer).toMatchObject({ status: 200 });
        ids.push(sale.id);
      }
      return ids;
    };
    const listOrders = async () =>
      (await listPending(login)).map(({ order_id }: { order_id: string }) => order_id);
    const first = await sendOrders(shop, product.id);
    const second = await sendOrders(other, otherProduct.id);
    const waiting = [...first.slice(0, 5), ...second.slice(0, 5)].reverse();
    expect(await listOrders()).toEqual(waiting);
    const [{ id }] = await listPending(login);
    await login.ask("DELETE", `/pending-details/${id}`);
    const [next] = await sendOrders(other, otherProduct.id);
    expect(await listOrders()).toEqual([next, ...waiting.slice(1)]);
    const saved = await Promise.all(
      Array.from({ length: 50 }, () => login.ask("POST", "/addresses", { body: homeAddress })),
    );
    expect(new Set(saved.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("are at most five of one shop, however many calls come at once", async () => {
    const login = await createLogin(shop);
    const sales: PlacedOrder[] = [];
    for (let orders = 0; orders < 7; orders += 1) sales.push(await createOrderFor(login.contact));
    await Promise.all(sales.map((sale) => linkByToken(sale)));
    expect(await listPending(login)).toHaveLength(5);
  });

  it("keep the name that waits when somebody else sends another one", async () => {
    const contact = uniqueEmail();
    for (const name of ["Ama", "Kofi"])
      await storefrontCaller(shop)("POST", "/enroll", { body: { contact, name } });
    expect(await listPending(await createLogin(shop, { contact }))).toMatchObject([
      { name: "Ama" },
    ]);
  });

  it("expire after 30 days", async () => {
    vi.setSystemTime(Date.parse("2034-01-01T00:00:00Z"));
    const contact = uniquePhone();
    await linkByToken(await createOrderFor(contact));
    vi.setSystemTime(Date.now() + 30 * day - 1_000);
    expect(await listPending(await createLogin(shop, { contact }))).toHaveLength(1);
    vi.setSystemTime(Date.now() + 60_000);
    const login = await createLogin(shop, { contact });
    expect(await listPending(login)).toEqual([]);
    await purgeLinkRecords(createBackground(env));
    const { results } = await env.CORE.prepare(
      "select id from link_pending_details where business_id = ?",
    )
      .bind(shop.business.id)
      .all();
    expect(results).toEqual([]);
  });
});

describe("POST /enroll-and-link-order without a session", () => {
  it("returns the same for a Link customer and for a contact that nobody knows", async () => {
    const { contact } = await createLogin(shop);
    await linkByToken(await createOrderFor(contact)); // loads the business into the cache
    const known = await linkByToken(await createOrderFor(contact));
    const unknown = await linkByToken(await createOrderFor(uniquePhone()));
    expect(roundTrips(known)).toMatchObject({ d1: 2, do: 0 });
    expect(roundTrips(unknown)).toMatchObject({ d1: 2, do: 0 });
    for (const answer of [known, unknown]) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          data: {
            account_id: expect.stringMatching(/^acc_/),
            customer_id: expect.stringMatching(/^cus_/),
            enrolled_at: new Date(Date.now()).toISOString(),
            is_new: false,
            order_id: expect.stringMatching(/^ord_/),
          },
        },
      });
    }
  });
});

describe("POST /pending-details/{id}/confirm", () => {
  it("saves the details as the owner's own", async () => {
    const login = await createLogin(shop);
    await linkByToken(await createOrderFor(login.contact));
    const [{ id }] = await listPending(login);
    const confirmed = await login.ask("POST", `/pending-details/${id}/confirm`);
    expect(confirmed).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          id,
          address: { ...homeAddress, is_default: true, usage_count: 0 },
          mobile_money: { phone_number: "+233241234567", provider: "vod", is_default: true },
        },
      },
    });
    expect(roundTrips(confirmed)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [homeAddress],
      mobile_money: [{ provider: "vod" }],
      preferences: { preferred_order_type: "pickup" },
    });
    expect(await listPending(login)).toEqual([]);
  });

  it("saves them once with concurrent calls", async () => {
    const login = await createLogin(shop);
    await linkByToken(await createOrderFor(login.contact));
    const [{ id }] = await listPending(login);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => login.ask("POST", `/pending-details/${id}/confirm`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(dataOf(await login.ask("GET", "/addresses"))).toHaveLength(1);
  });

  it("saves nothing when one of the records has no room", async () => {
    const login = await createLogin(shop);
    await linkByToken(await createOrderFor(login.contact));
    const numbers = Array.from({ length: 50 }, (_, index) => ({
      phone_number: `+2332412340${String(index).padStart(2, "0")}`,
      provider: "mtn",
    }));
    await Promise.all(numbers.map((body) => login.ask("POST", "/mobile-money", { body })));
    const [{ id }] = await listPending(login);
    const path = `/pending-details/${id}/confirm`;
    expect(await login.ask("POST", path)).toMatchObject({
      status: 422,
      body: refusalBody("BUSINESS_RULE_VIOLATION", { context: { rule: "SAVED_LIMIT", limit: 50 } }),
    });
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [],
      preferences: { preferred_order_type: null },
    });
    const [account] = dataOf(await login.ask("GET", "/mobile-money"));
    await login.ask("DELETE", `/mobile-money/${account.id}`);
    expect((await login.ask("POST", path)).status).toBe(200);
  });

  it("is 404 for details of another account, and so is discarding them", async () => {
    const login = await createLogin(shop);
    const other = await createLogin(shop);
    await linkByToken(await createOrderFor(login.contact));
    const [{ id }] = await listPending(login);
    for (const [method, path] of [
      ["POST", `/pending-details/${id}/confirm`],
      ["DELETE", `/pending-details/${id}`],
    ] as const) {
      expect(await other.ask(method, path)).toMatchObject({
        status: 404,
        body: refusalBody("NOT_FOUND"),
      });
    }
    expect(await listPending(other)).toEqual([]);
    expect(await listPending(login)).toHaveLength(1);
  });
});

describe("DELETE /pending-details/{id}", () => {
  it("discards the details and saves nothing", async () => {
    const login = await createLogin(shop);
    await linkByToken(await createOrderFor(login.contact));
    const [{ id }] = await listPending(login);
    expect(await login.ask("DELETE", `/pending-details/${id}`)).toMatchObject({
      status: 200,
      body: { success: true, data: { id, deleted: true } },
    });
    expect(await listPending(login)).toEqual([]);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject(nothingSaved);
    expect((await login.ask("DELETE", `/pending-details/${id}`)).status).toBe(404);
    const { results } = await env.CORE.prepare(
      "select address, mobile_money from link_pending_details where id = ?",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ address: null, mobile_money: null }]);
  });
});
