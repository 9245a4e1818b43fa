import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import background from "../../functions/background/worker.ts";
import type { CreatedBusiness, MerchantContext } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter, sha256 } from "../../shared/kernel/index.ts";
import { enrollWithOrder, linkSessionRepo, type OpenSession } from "../../shared/link/index.ts";
import type { Dies } from "../support/faults.ts";
import { givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenLogin, somePhone, storefront } from "./given.ts";

export const start = Date.parse("2032-01-01T12:00:00Z");

export const cron = () =>
  background.scheduled(createScheduledController({ cron: "* * * * *" }), env);

/** A minute later, when the jobs have run. */
export const later = async () => {
  vi.setSystemTime(Date.now() + 60_000);
  await cron();
};

const coreThatDies = (dies: Dies) =>
  openDb(
    {
      prepare: (query) => env.CORE.prepare(query),
      batch: <T>(all: D1PreparedStatement[]) => dies(() => env.CORE.batch<T>(all)),
    },
    createMeter(),
  );

export const contextThatDies = (shop: CreatedBusiness, dies: Dies): MerchantContext => ({
  ...orderContextFor(shop, { dies }),
  core: coreThatDies(dies),
});

export type Enrolling = Readonly<{
  shop: CreatedBusiness;
  contact: string;
  sale: Sold;
  session: OpenSession | null;
}>;

/** Somebody who has bought, about to enrol: with a login of their own, or with the order's token alone. */
export async function givenEnrolling({ shop, product }: Seller, who: Who): Promise<Enrolling> {
  const contact = somePhone();
  const fields = { customer: { phone: contact } };
  const sale = await givenSale(shop, product.id, { how: "cash", fields });
  if (who === "holder") return { shop, contact, sale, session: null };
  const { accountId, token } = await givenLogin(shop, { contact });
  const { sid } = JSON.parse(
    atob(token.split(".")[1]?.replace(/-/g, "+").replace(/_/g, "/") ?? ""),
  );
  const core = openDb(env.CORE, createMeter());
  const session = await linkSessionRepo(core).open({ sessionId: sid, accountId }, Date.now());
  return { shop, contact, sale, session };
}

export type Who = "owner" | "holder";

export type Seller = Readonly<{ shop: CreatedBusiness; product: Product }>;

export async function enrol(
  dies: Dies,
  { shop, sale, session }: Enrolling,
  hasToken = session === null,
) {
  return enrollWithOrder(contextThatDies(shop, dies), {
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
export async function books({ shop, contact, sale }: Enrolling) {
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

/** The books where nothing was enrolled. */
export const untouched = {
  shown: { is_link_customer: false },
  saved: [0, 0],
  waiting: 0,
  links: 0,
  hasCustomer: false,
  events: ["order.created"],
};
/** The books where all of it was. */
export const doneBy = {
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
