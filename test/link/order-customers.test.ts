import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { assignLinkedOrders } from "../../functions/background/jobs/assign-linked-orders.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { createCustomer, emailContact, phoneContact } from "../support/create-customer.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";
import {
  addContact,
  callLink,
  createLogin,
  type LinkLogin,
  storefrontCaller,
  uniquePhone,
} from "./create-logins.ts";

let shop: CreatedBusiness;
let product: Product;
let contact: string;
let sale: PlacedOrder;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProduct(shop);
  contact = uniquePhone();
  sale = await order({ phone: contact });
});

const order = (customer: object, ask = shopper(shop)): Promise<PlacedOrder> =>
  createOrder(shop, product.id, { payWith: "cash", ask, fields: { customer } });

const passes = (ms: number) => vi.setSystemTime(Date.now() + ms);

const bodyOf = ({ id, token }: PlacedOrder) => ({
  order_id: id,
  business_id: shop.business.id,
  bill_token: token,
});

/** Links the order by its token, with the login's session or without one. */
async function linkByToken(login: LinkLogin | null = null) {
  const call = login ? login.ask : callLink;
  const answer = await call("POST", "/enroll-and-link-order", { body: bodyOf(sale) });
  expect(answer).toMatchObject({ status: 200 });
}

const enroll = (login: LinkLogin | null = null) =>
  storefrontCaller(shop)("POST", "/enroll", {
    body: { contact },
    headers: login ? { Authorization: `Bearer ${login.token}` } : {},
  });

const loadOwner = async ({ id }: PlacedOrder = sale) =>
  (await selectRows(shop, "select customer_id from orders where id = ?", id))[0]?.customer_id ??
  null;

/** The shop's customer who logs in with the contact. */
async function shopCustomerOf(value: string): Promise<string> {
  passes(31 * second);
  return (await createLoggedInShopper(shop, value)).customerId;
}

const assignDue = () => assignLinkedOrders(createBackground(env));

const loadUnassigned = async () =>
  (
    await env.CORE.prepare("select order_id, due_at from link_unassigned_orders where order_id = ?")
      .bind(sale.id)
      .all()
  ).results;

describe("an order that is linked by its bill_token", () => {
  it("belongs within a minute to the customer who has verified its contact at the shop", async () => {
    const { id } = await createCustomer(shop, phoneContact(contact));
    await linkByToken();
    await assignDue();
    expect(await loadOwner()).toBe(id);
  });

  it("belongs within a minute to a new customer when the contact is verified at Link", async () => {
    await createLogin(shop, { contact });
    await linkByToken();
    await assignDue();
    const owner = await loadOwner();
    expect(owner).not.toBeNull();
    expect(await shopCustomerOf(contact)).toBe(owner);
  });

  it("belongs to the customer that the merchant created with a contact verified at Link", async () => {
    const created = await merchant(shop)("POST", "/customers", { body: { phone: contact } });
    await linkByToken();
    expect(await loadOwner()).toBeNull();
    await createLogin(shop, { contact });
    await Promise.all([assignDue(), linkByToken()]);
    expect(await loadOwner()).toBe(dataOf(created).id);
    expect(await shopCustomerOf(contact)).toBe(dataOf(created).id);
  });

  it("belongs to the owner of the session, whose contact is another", async () => {
    const login = await createLogin(shop);
    await linkByToken(login);
    const owner = await loadOwner();
    expect(owner).not.toBeNull();
    expect(await shopCustomerOf(login.contact)).toBe(owner);
    expect(await shopCustomerOf(contact)).not.toBe(owner);
  });

  it("belongs to the session's customer that the shop knows by any verified contact", async () => {
    const email = `${uniquePhone().slice(1)}@example.com`;
    const login = await createLogin(shop, { contact });
    await addContact(shop, login, email);
    const { id } = await createCustomer(shop, emailContact(email));
    sale = await order({ phone: contact, email });
    await linkByToken(login);
    expect(await loadOwner()).toBe(id);
    sale = await order({ phone: uniquePhone() });
    await linkByToken(login);
    expect(await loadOwner()).toBe(id);
  });

  it("belongs to nobody until its contact is verified, then to the shop's customer", async () => {
    await linkByToken();
    expect(await loadOwner()).toBeNull();
    expect(await shopCustomerOf(contact)).toBe(await loadOwner());
  });

  it.each(["before", "after"] as const)("belongs to them when they enrol %s", async (when) => {
    if (when === "before") await enroll();
    await linkByToken();
    if (when === "after") await enroll();
    expect(await shopCustomerOf(contact)).toBe(await loadOwner());
  });

  it("belongs to them after the first login at Link, within a minute", async () => {
    await linkByToken();
    await assignDue();
    expect(await loadOwner()).toBeNull();
    await createLogin(shop, { contact });
    await assignDue();
    const owner = await loadOwner();
    expect(owner).not.toBeNull();
    expect(await loadUnassigned()).toEqual([]);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.updated"]);
    expect(await shopCustomerOf(contact)).toBe(owner);
  });

  it("belongs to them when it is linked again after the login", async () => {
    await linkByToken();
    const login = await createLogin(shop, { contact });
    await linkByToken(login);
    const owner = await loadOwner();
    expect(owner).not.toBeNull();
    await linkByToken(login);
    await linkByToken();
    await assignDue();
    expect(await loadOwner()).toBe(owner);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.updated"]);
    expect(await loadUnassigned()).toEqual([]);
  });

  it("keeps the customer who placed it", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop, "kofi@example.com");
    sale = await order({ phone: contact }, ask);
    await linkByToken();
    await linkByToken(await createLogin(shop, { contact }));
    await assignDue();
    expect(await loadOwner()).toBe(customerId);
  });

  it("keeps the customer who took it over meanwhile", async () => {
    sale = await order({ phone: contact, email: "ama@example.com" });
    await linkByToken();
    const { customerId } = await createLoggedInShopper(shop, "ama@example.com");
    await createLogin(shop, { contact });
    await assignDue();
    expect(await loadOwner()).toBe(customerId);
    expect(await loadUnassigned()).toEqual([]);
  });

  it("waits when its account logs in with another contact", async () => {
    await linkByToken();
    const login = await createLogin(shop, { contact });
    sale = await order({ phone: uniquePhone() });
    await env.CORE.prepare(
      "insert into link_unassigned_orders (order_id, business_id, account_id, due_at) values (?, ?, ?, 1)",
    )
      .bind(sale.id, shop.business.id, login.accountId)
      .run();
    await selectRows(
      shop,
      "insert into link_orders select ?, ?, ?, 'intent', 1",
      sale.id,
      shop.business.id,
      login.accountId,
    );
    await assignDue();
    expect(await loadOwner()).toBeNull();
    expect(await loadUnassigned()).toMatchObject([{ due_at: null }]);
  });

  it("is not assigned after its customer's data were erased", async () => {
    await linkByToken();
    const customerId = await shopCustomerOf(contact);
    passes(second);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    passes(31 * second);
    await createLogin(shop, { contact });
    await assignDue();
    expect(await loadOwner()).toBe(customerId);
    expect(await loadUnassigned()).toEqual([]);
    const links = "select order_id from link_orders where order_id = ?";
    expect(await selectRows(shop, links, sale.id)).toEqual([]);
  });

  it("is assigned once when runs overlap", async () => {
    await linkByToken();
    await createLogin(shop, { contact });
    await Promise.all([assignDue(), assignDue()]);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.updated"]);
  });
});
