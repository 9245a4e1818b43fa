import { chance } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { givenEnrolled, home } from "../link/given.ts";
import { indexedRow } from "../support/conversations.ts";
import { claimsOf, loggedInShopper } from "../support/sessions.ts";
import { until } from "../support/sockets.ts";
import { merchant, shopper } from "../support/world.ts";
import { bytesOf, givenUpload } from "../uploads/given.ts";
import type { Belongings } from "./foreign-belongings.ts";
import { type Ask, asBuild, asServer, beneath, fromAnywhere, had } from "./foreign-callers.ts";

/** A customer of the business who has bought, has a cart, and has saved data at Link. */
export async function givenCustomerOf(
  shop: CreatedBusiness,
  { cup_id, billing_plan_id, service_product_id }: Belongings,
  contact: string,
) {
  const { ask: unaddressed, cookie, customerId } = await loggedInShopper(shop, contact);
  const ask = fromAnywhere(unaddressed);
  const [sale, pending, , cart] = [
    await givenOrder(ask, cup_id, contact, "0"),
    await givenBookedOrder(ask, { cup_id, service_product_id }, contact),
    await givenOrder(ask, cup_id, contact, "0", { billing_plan_id }),
    await had(ask("POST", "/cart/items", { body: { item_id: cup_id } })),
  ];
  const [subscription] = await had(ask("GET", "/subscriptions"));
  const merchantOf = fromAnywhere(merchant(shop));
  await had(merchantOf("POST", `/orders/${sale.order_id}/refunds`, { body: { amount: "1" } }));
  const link = await givenEnrolled(shop);
  const saved = fromAnywhere(link.ask);
  const address = await had(saved("POST", "/addresses", { body: home }));
  const account = { phone_number: "0241234567", provider: "mtn" };
  const mobileMoney = await had(saved("POST", "/mobile-money", { body: account }));
  const [session] = await had(saved("GET", "/sessions"));
  const upload = await givenUpload(ask, bytesOf(3));
  const said = { content: "Hello", client_id: "hello" };
  await had(ask("POST", "/support/conversation/messages", { body: said }));
  const { conversation } = await had(ask("POST", "/support/conversation"));
  await until(async () => (await indexedRow(shop, conversation.id))?.message_count === 1);
  return {
    businessId: shop.business.id,
    sessionId: claimsOf(cookie).sub,
    asks: {
      customer: beneath("/api/v1", ask),
      guest: beneath("/api/v1", fromAnywhere(shopper(shop))),
      merchant: asServer(shop),
      link: beneath("/v1/link", saved),
      build: asBuild(shop),
    },
    ids: {
      customer_id: customerId,
      cart_id: String(cart.id),
      cart_item_id: String(cart.items[0].id),
      order_id: String(pending.order_id),
      booking_id: String(pending.booking.id),
      line_item_id: String(pending.booking.line_item_id),
      bill_token: String(pending.bill_token),
      payment_id: String(pending.payment_id),
      subscription_id: String(subscription.id),
      thread_id: String(conversation.id),
      address_id: String(address.id),
      mobile_money_id: String(mobileMoney.id),
      link_session_id: String(session.id),
      upload_id: upload.id,
    },
  };
}

/** An order of a cup and of a slot tomorrow that waits for a code. */
async function givenBookedOrder(
  ask: Ask,
  { cup_id, service_product_id }: Pick<Belongings, "cup_id" | "service_product_id">,
  phone: string,
) {
  const tomorrow = new Date(Math.ceil(chance.now() / day) * day + day).toISOString();
  const body = { item_id: service_product_id, scheduled_start: tomorrow };
  await had(ask("POST", "/cart/items", { body }));
  const order = await givenOrder(ask, cup_id, phone, "1");
  const { bookings } = await had(ask("GET", `/orders/${order.order_id}`));
  return { ...order, booking: bookings[0] };
}

/** An order over mobile money; the number's last digit decides what the sandbox does. */
async function givenOrder(
  ask: Ask,
  itemId: string,
  phone: string,
  digit: string,
  fields: object = {},
) {
  const body = { item_id: itemId, quantity: 2, ...fields };
  const cart = await had(ask("POST", "/cart/items", { body }));
  return had(
    ask("POST", "/checkout", {
      body: {
        cart_id: cart.id,
        customer: { phone },
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" },
      },
    }),
  );
}

export type Party = Awaited<ReturnType<typeof givenCustomerOf>>;
export type Ids = Party["ids"] & Belongings;
export type Kind = keyof Ids;

/** What is one customer's own among a business's records. */
export const personal: ReadonlySet<Kind> = new Set<Kind>([
  "customer_id",
  "cart_id",
  "cart_item_id",
  "order_id",
  "booking_id",
  "line_item_id",
  "bill_token",
  "payment_id",
  "subscription_id",
  "address_id",
  "mobile_money_id",
  "link_session_id",
  "upload_id",
]);

/** Well formed, as the given ones are, and nobody's. */
export const unknownIds = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [kind, unknownOf(id)])) as Ids; // safe: the same keys

function unknownOf(id: string): string {
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(id)?.[1];
  if (prefix !== undefined) return chance.newId(prefix as Parameters<typeof chance.newId>[0]); // safe: an id's own prefix
  return `${id.slice(0, -4)}none`;
}
