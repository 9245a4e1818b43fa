import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  addContact,
  createEnrolledLogin,
  homeAddress,
  storefrontCaller,
  uniqueEmail,
} from "../link/create-logins.ts";
import { createPlatformGrant } from "../link/create-platform-grant.ts";
import { createMember, createPasskey } from "../support/console.ts";
import { findListedConversation } from "../support/create-conversation.ts";
import { createLoggedInShopper, parseCookieClaims } from "../support/sessions.ts";
import { waitUntil } from "../support/sockets.ts";
import { call, merchant, shopper } from "../support/world.ts";
import { createBytes, createUpload } from "../uploads/create-uploads.ts";
import {
  type ApiCall,
  deployKeyClient,
  requireData,
  secretKeyClient,
  withChangingAddress,
  withoutPathPrefix,
} from "./api-clients.ts";
import { type BusinessRecords, deliveredBy } from "./create-business-records.ts";

/**
 * Creates a customer who has ordered, has a cart, has written to support and has saved data at
 * Link.
 */
export async function createCustomerRecords(
  shop: CreatedBusiness,
  records: BusinessRecords,
  contact: string,
) {
  const { cup_id, billing_plan_id } = records;
  const { ask: unaddressed, cookie, customerId } = await createLoggedInShopper(shop, contact);
  const ask = withChangingAddress(unaddressed);
  const merchantOf = withChangingAddress(merchant(shop));
  const dueRefund = await createDueRefund({ ask, merchantOf }, records, contact);
  const [sale, pending, , cart] = [
    await createOrder(ask, records, contact),
    await createOrderWithBooking(ask, records, contact),
    await createOrder(ask, records, contact, { fields: { billing_plan_id } }),
    await requireData(ask("POST", "/cart/items", { body: { item_id: cup_id } })),
  ];
  const [subscription] = await requireData(ask("GET", "/subscriptions"));
  await requireData(
    merchantOf("POST", `/orders/${sale.order_id}/refunds`, { body: { amount: "1" } }),
  );
  await requireData(
    merchantOf("POST", "/customer-groups", { body: { name: "VIP", customer_ids: [customerId] } }),
  );
  const shipped = await requireData(merchantOf("GET", `/orders/${sale.order_id}`));
  const shipment = await requireData(
    merchantOf("POST", `/orders/${sale.order_id}/shipments`, {
      body: {
        items: [{ order_item_id: shipped.items[0].id, quantity: 1 }],
        status: "label_created",
      },
    }),
  );
  const link = await createEnrolledLogin(shop);
  const saved = withChangingAddress(link.ask);
  const address = await requireData(saved("POST", "/addresses", { body: homeAddress }));
  const account = { phone_number: "0241234567", provider: "mtn" };
  const mobileMoney = await requireData(saved("POST", "/mobile-money", { body: account }));
  const [session] = await requireData(saved("GET", "/sessions"));
  const platform = await createPlatformGrant({
    businessId: shop.business.id,
    contact: link.contact,
  });
  const email = uniqueEmail();
  const linkContact = await requireData(addContact(shop, link, email));
  for (const contact of [link.contact, email])
    await requireData(
      storefrontCaller(shop)("POST", "/enroll", { body: { contact, name: "Ama" } }),
    );
  const [waiting, otherWaiting] = await requireData(saved("GET", "/pending-details"));
  const upload = await createUpload(ask, createBytes(3));
  const said = { content: "Hello", client_id: "hello" };
  await requireData(ask("POST", "/support/conversation/messages", { body: said }));
  const { conversation } = await requireData(ask("POST", "/support/conversation"));
  await waitUntil(
    async () => (await findListedConversation(shop, conversation.id))?.message_count === 1,
  );
  const member = await createMember(shop, "manager");
  const passkey = await createPasskey(member);
  /** Logins carry no cookie, because they would end its session. */
  const askAtConsole: ApiCall = (method, path, options) =>
    (/\/(?:login|verify-otp)$/.test(path) ? call : member.askAt)(method, path, options);
  return {
    businessId: shop.business.id,
    passkey,
    sessionId: parseCookieClaims(cookie).sub,
    asks: {
      customer: withoutPathPrefix("/api/v1", ask),
      guest: withoutPathPrefix("/api/v1", withChangingAddress(shopper(shop))),
      merchant: secretKeyClient(shop),
      link: withoutPathPrefix("/v1/link", saved),
      build: deployKeyClient(shop),
      console: withChangingAddress(askAtConsole),
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
      link_platform_id: platform.grant.id,
      refunded_order_id: String(dueRefund.order_id),
      refund_id: String(dueRefund.id),
      shipped_order_id: String(sale.order_id),
      shipped_item_id: String(shipped.items[0].id),
      shipment_id: String(shipment.id),
      link_contact_id: String(linkContact.id),
      pending_details_id: String(waiting.id),
      other_pending_details_id: String(otherWaiting.id),
      upload_id: upload.id,
      passkey_id: passkey.id,
    },
  };
}

/** Places an order that is paid in cash and cancelled, and returns its refund, which is due. */
async function createDueRefund(
  { ask, merchantOf }: Readonly<{ ask: ApiCall; merchantOf: ApiCall }>,
  { cup_id, method_id }: BusinessRecords,
  phone: string,
) {
  const { id: cart_id } = await requireData(
    ask("POST", "/cart/items", { body: { item_id: cup_id } }),
  );
  const inCash = { customer: { phone }, payment_method: "cash" };
  const { order_id } = await requireData(
    ask("POST", "/checkout", { body: { cart_id, ...inCash, ...deliveredBy(method_id) } }),
  );
  await requireData(merchantOf("POST", `/orders/${order_id}/payments/mark-paid`, { body: {} }));
  const { payment } = await requireData(
    merchantOf("POST", `/orders/${order_id}/cancel`, { body: {} }),
  );
  return payment.refunds[0];
}

/** Creates an order of a cup and of a slot tomorrow; its payment waits for a code. */
async function createOrderWithBooking(ask: ApiCall, records: BusinessRecords, phone: string) {
  const tomorrow = new Date(Math.ceil(runtime.now() / day) * day + day).toISOString();
  const body = { item_id: records.service_product_id, scheduled_start: tomorrow };
  await requireData(ask("POST", "/cart/items", { body }));
  const order = await createOrder(ask, records, phone, { digit: "1" });
  const { bookings } = await requireData(ask("GET", `/orders/${order.order_id}`));
  return { ...order, booking: bookings[0] };
}

/**
 * Creates an order paid by mobile money; the number's last digit decides what the sandbox provider
 * does.
 */
async function createOrder(
  ask: ApiCall,
  { cup_id, method_id }: BusinessRecords,
  phone: string,
  { digit = "0", fields = {} }: Readonly<{ digit?: string; fields?: object }> = {},
) {
  const body = { item_id: cup_id, quantity: 2, ...fields };
  const cart = await requireData(ask("POST", "/cart/items", { body }));
  return requireData(
    ask("POST", "/checkout", {
      body: {
        cart_id: cart.id,
        customer: { phone },
        ...deliveredBy(method_id),
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" },
      },
    }),
  );
}

export type CustomerRecords = Awaited<ReturnType<typeof createCustomerRecords>>;
export type RecordIds = CustomerRecords["ids"] & BusinessRecords;
export type RecordKind = keyof RecordIds;

/** The kinds of records that belong to one customer. */
export const customerRecordKinds: ReadonlySet<RecordKind> = new Set<RecordKind>([
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
  "link_platform_id",
  "refunded_order_id",
  "refund_id",
  "shipped_order_id",
  "shipped_item_id",
  "shipment_id",
  "link_contact_id",
  "pending_details_id",
  "other_pending_details_id",
  "upload_id",
]);

/** Well-formed identifiers that no record has. */
export const unknownIds = (ids: RecordIds): RecordIds =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [kind, unknownId(id)])) as RecordIds; // safe: the same keys

function unknownId(id: string): string {
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(id)?.[1];
  if (prefix !== undefined) return runtime.newId(prefix as Parameters<typeof runtime.newId>[0]); // safe: an id's own prefix
  return `${id.slice(0, -4)}none`;
}
