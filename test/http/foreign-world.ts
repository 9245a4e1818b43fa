import { env } from "cloudflare:workers";
import { chance } from "../../functions/http/chance.ts";
import { type CreatedBusiness, weekdays } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { givenEnrolled, home } from "../link/given.ts";
import { indexedRow } from "../support/conversations.ts";
import { claimsOf, loggedInShopper } from "../support/sessions.ts";
import { until } from "../support/sockets.ts";
import { type Answer, type CallOptions, call, merchant, shopper } from "../support/world.ts";
import { bytesOf, deployer, givenAsset, givenUpload } from "../uploads/given.ts";

export type Ask = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

let calls = 0;

/** As `ask`, from another address every few calls: the strictest limit of one is ten (one-time codes, Link). */
const fromAnywhere =
  (ask: Ask): Ask =>
  (method, path, { headers, ...options } = {}) => {
    const block = Math.floor(calls++ / 8);
    const address = `10.9.${block >> 8}.${block & 255}`;
    return ask(method, path, {
      ...options,
      headers: { "CF-Connecting-IP": address, ...headers },
    });
  };

/** The data of an answer that has to be a success. */
export async function had(asked: Promise<Answer>) {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return Object(answer.body).data ?? answer.body;
}

/** A business's limits raised far above what a test asks in a second, before anybody knows it. */
export const withoutLimits = ({ business }: CreatedBusiness) =>
  env.CORE.prepare("update businesses set settings = ? where id = ?")
    .bind(
      JSON.stringify({
        ...business.settings,
        rateLimits: {
          publicPerSecondPerAddress: 10_000,
          publicPerMinute: 100_000,
          secretPerSecond: 10_000,
        },
      }),
      business.id,
    )
    .run();

/** A business's locations open around the clock, before anybody knows it: there is a slot at every hour. */
export function alwaysOpen({ business }: CreatedBusiness) {
  const allDay = [{ open: "00:00", close: "23:59" }];
  const hours = Object.fromEntries(weekdays.map((day) => [day, allDay]));
  return env.CORE.prepare("update locations set operating_hours = ? where business_id = ?")
    .bind(JSON.stringify(hours), business.id)
    .run();
}

/** The merchant's server, on any surface. */
const asServer = ({ keys }: CreatedBusiness): Ask =>
  fromAnywhere((method, path, { headers, ...options } = {}) =>
    call(method, path, { ...options, headers: { "X-API-Key": keys.secret, ...headers } }),
  );

/** The merchant's build, with the deploy key, on whole paths. */
const asBuild = ({ keys }: CreatedBusiness): Ask =>
  fromAnywhere((method, path, { headers, ...options } = {}) =>
    call(method, path, {
      ...options,
      headers: { Authorization: `Bearer ${keys.deploy}`, ...headers },
    }),
  );

/** Calls with whole paths, by somebody whose own paths begin after the prefix. */
const beneath =
  (prefix: string, ask: Ask): Ask =>
  (method, path, options) =>
    ask(method, path.slice(prefix.length), options);

/** What a merchant has: something of every kind, made through the merchant's own calls. */
export async function givenBelongings(shop: CreatedBusiness) {
  const ask = fromAnywhere(merchant(shop));
  const create = (path: string, body: object) => had(ask("POST", path, { body }));
  const location_id = String(shop.business.locations[0]?.id);
  const spare = await create("/locations", { name: "Spare" });
  const category_slug = `drinks-${shop.business.id.slice(-8)}`;
  const category = await create("/categories", { name: "Drinks", slug: category_slug });
  const child = await create("/categories", { name: "Hot drinks", parent_id: category.id });
  const plan = await create("/billing-plans", { name: "Monthly", interval: "month", price: "9" });
  const tea = await create("/products", {
    name: "Tea",
    default_price: "10",
    inventory_type: "variant_level",
    category_id: category.id,
    tags: ["hot"],
    variant_axes: [{ name: "size", label: "Size", values: ["S", "L"] }],
    variants: [
      { name: "Small", axis_values: { size: "S" }, is_default: true },
      { name: "Large", axis_values: { size: "L" } },
    ],
    add_ons: [{ name: "Milk", options: [{ name: "Oat", price: "1" }] }],
    schedules: [{ days: ["mon"], start_time: "00:00", end_time: "24:00", location_id }],
    price_overrides: [{ location_id, price: "9" }],
    billing_plan_ids: [plan.id],
  });
  const cup = await create("/products", {
    name: "Cup",
    default_price: "5",
    inventory_type: "tracked",
    category_id: category.id,
    billing_plan_ids: [plan.id],
  });
  const stocked = (itemId: string) =>
    ask("PUT", `/inventory/${itemId}/locations/${location_id}`, { body: { quantity_on_hand: 50 } });
  const [small] = tea.variants;
  await Promise.all([had(stocked(small.id)), had(stocked(cup.id))]);
  const bundle = await create("/bundles", {
    name: "Tea set",
    pricing: { type: "fixed", value: "12" },
    components: [
      { name: "The cup", product_id: cup.id },
      { name: "The tea", product_id: tea.id, default_variant_id: small.id, is_swappable: true },
    ],
  });
  const composite = await create("/composites", {
    name: "Bowl",
    base_price: "5",
    groups: [
      { name: "Base", min_selections: 1, max_selections: 2, components: [{ name: "Rice" }] },
      { name: "Drink", components: [{ name: "Tea", product_id: tea.id }] },
    ],
  });
  const collection = await create("/collections", { name: "Summer", product_ids: [tea.id] });
  const deal_code = `TEN${chance.newId("deal").slice(-8)}`.toUpperCase();
  const deal = await create("/deals", {
    code: deal_code,
    name: "Ten percent",
    discount_type: "percentage",
    value: "10",
    applies_to: { scope: "category", ids: [category.id] },
  });
  const attribute = await create("/attributes", {
    category_id: category.id,
    key: "colour",
    label: "Colour",
    type: "text",
  });
  const member = await create("/staff", { name: "Ann" });
  const room = await create("/resources", { name: "Room", capacity: 9 });
  const service = await create("/services", {
    name: "Tasting",
    default_price: "80",
    duration_minutes: 60,
    variants: [{ name: "Long", duration_minutes: 90 }],
    capacity: 4,
    staff_ids: [member.id],
    resource_ids: [room.id],
  });
  const key = await create("/keys", { kind: "secret", scopes: ["*"], label: "Till" });
  const ofShop = fromAnywhere(shopper(shop));
  const webhook = await had(
    asServer(shop)("POST", "/api/v1/webhooks", {
      body: { url: "https://receiver.example.com/hook", events: ["order.created"] },
    }),
  );
  const delivery = await had(asServer(shop)("POST", `/api/v1/webhooks/${webhook.id}/test`));
  const asset = await givenAsset(fromAnywhere(deployer(shop)), bytesOf(3));
  const quote = await had(
    ofShop("POST", "/catalogue/quotes", {
      body: { product_id: tea.id, variant_id: small.id, location_id },
    }),
  );
  const fx = await had(
    ofShop("POST", "/fx/quotes", { body: { from: "GHS", to: "USD", amount: "500" } }),
  );
  return {
    business_id: shop.business.id,
    location_id,
    spare_location_id: String(spare.id),
    category_id: String(category.id),
    category_slug,
    child_category_id: String(child.id),
    billing_plan_id: String(plan.id),
    product_id: String(tea.id),
    variant_id: String(small.id),
    add_on_group_id: String(tea.add_ons[0].id),
    add_on_option_id: String(tea.add_ons[0].options[0].id),
    schedule_id: String(tea.schedules[0].id),
    cup_id: String(cup.id),
    bundle_id: String(bundle.id),
    bundle_product_id: String(bundle.product_id),
    bundle_component_id: String(bundle.components[1].component_id),
    composite_id: String(composite.id),
    composite_product_id: String(composite.product_id),
    composite_component_id: String(composite.groups[0].components[0].component_id),
    group_id: String(composite.groups[0].id),
    composite_tea_id: String(composite.groups[1].components[0].component_id),
    collection_id: String(collection.id),
    deal_id: String(deal.id),
    deal_code,
    attribute_id: String(attribute.id),
    service_id: String(service.id),
    service_product_id: String(service.product_id),
    service_variant_id: String(service.variants[0].id),
    staff_id: String(member.id),
    resource_id: String(room.id),
    key_id: String(key.id),
    webhook_id: String(webhook.id),
    delivery_id: String(delivery.id),
    quote_id: String(quote.quote_id),
    fx_quote_id: String(fx.quote_id),
    asset_id: asset.id,
  };
}

export type Belongings = Awaited<ReturnType<typeof givenBelongings>>;

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
