import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import {
  type ActiveLinkSession,
  enrollWithOrder,
  linkSessionRepo,
  type OrderLinkContext,
} from "../../shared/link/index.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { runDueJobs } from "../support/cron.ts";
import type { CrashPoint } from "../support/faults.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createLogin, storefrontCaller, uniquePhone } from "./create-logins.ts";

export const startTime = Date.parse("2032-01-01T12:00:00Z");

export const runCron = () => runDueJobs();

/** Advances the clock by a minute and runs the jobs. */
export const runCronMinuteLater = async () => {
  vi.setSystemTime(Date.now() + 60_000);
  await runCron();
};

const openCoreWithCrash = (dies: CrashPoint) =>
  openDb(
    {
      prepare: (query) => env.CORE.prepare(query),
      batch: <T>(all: D1PreparedStatement[]) => dies(() => env.CORE.batch<T>(all)),
    },
    createMeter(),
  );

export const createContextWithCrash = (
  shop: CreatedBusiness,
  dies: CrashPoint,
): OrderLinkContext => ({
  ...createOrderContext(shop, { crashPoint: dies }),
  core: openCoreWithCrash(dies),
  notify: async () => {},
});

export type OrderEnrolment = Readonly<{
  shop: CreatedBusiness;
  contact: string;
  sale: PlacedOrder;
  session: ActiveLinkSession;
}>;

/** An order whose contact's owner is logged in. */
export async function createOrderEnrolment({
  shop,
  product,
}: ShopWithProduct): Promise<OrderEnrolment> {
  const contact = uniquePhone();
  const fields = { customer: { phone: contact } };
  const sale = await createOrder(shop, product.id, { payWith: "cash", fields });
  const { accountId, token } = await createLogin(shop, { contact });
  const { sid } = JSON.parse(
    atob(token.split(".")[1]?.replace(/-/g, "+").replace(/_/g, "/") ?? ""),
  );
  const core = openDb(env.CORE, createMeter());
  const session = await linkSessionRepo(core).findActive({ sessionId: sid, accountId }, Date.now());
  if (!session) throw new Error("The session has ended.");
  return { shop, contact, sale, session };
}

export type ShopWithProduct = Readonly<{ shop: CreatedBusiness; product: Product }>;

export async function enrollWithTestOrder(
  dies: CrashPoint,
  { shop, sale, session }: OrderEnrolment,
  hasToken = false,
) {
  return enrollWithOrder(createContextWithCrash(shop, dies), {
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

/** The contact's enrolment status, and the rows in CORE and the shard. */
export async function loadEnrolmentState({ shop, contact, sale }: OrderEnrolment) {
  const statusResponse = await storefrontCaller(shop)("POST", "/check-status", {
    body: { contact },
  });
  const countRows = async (table: string) => {
    const { results } = await env.CORE.prepare(
      `select count(*) as count from ${table} where account_id =
        (select account_id from link_contacts where mode = 'test' and value = ?)`,
    )
      .bind(contact)
      .all();
    return results[0]?.count;
  };
  const [order] = await selectRows(shop, "select customer_id from orders where id = ?", sale.id);
  const links = await selectRows(
    shop,
    "select order_id from link_orders where order_id = ?",
    sale.id,
  );
  return {
    status: statusResponse.body,
    saved: [await countRows("link_addresses"), await countRows("link_mobile_money")],
    intents: await countRows("link_order_intents"),
    links: links.length,
    hasCustomer: order?.customer_id !== null,
    events: await listOutboxEventTypes(shop),
  };
}

/** The state before the enrolment. */
export const unchangedState = {
  status: { is_link_customer: false },
  saved: [0, 0],
  intents: 0,
  links: 0,
  hasCustomer: false,
  events: ["order.created"],
};
/** The state after the enrolment. */
export const enrolledState = {
  status: { is_link_customer: true },
  saved: [1, 1],
  intents: 0,
  links: 1,
  hasCustomer: true,
  events: ["order.created", "order.updated"],
};
