import { env } from "cloudflare:workers";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { addItem, type Cart, emptyCart, type NewItem } from "../../shared/cart/index.ts";
import { productRepo } from "../../shared/catalogue/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  type CheckoutRequest,
  planCheckout,
  type Read,
} from "../../shared/checkout/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { staticRates } from "../../shared/fx/index.ts";
import { createMeter, type Meter } from "../../shared/kernel/index.ts";
import {
  cashProvider,
  type PaymentProvider,
  sandboxProvider,
} from "../../shared/payments/index.ts";
import { type Dies, never } from "../support/faults.ts";
import { providerThatDies } from "../support/orders.ts";
import { contextFor } from "../support/world.ts";

type Shop = Pick<CreatedBusiness, "business">;

export type ContextOptions = Readonly<{
  /** Asked at each effect outside the object: a batch of the shop's, a call of the provider's. */
  dies?: Dies;
  /** Who is charged for everything but cash; the sandbox where none is named. */
  provider?: PaymentProvider;
  /** Where one call's round trips are counted; any number may be made where none is named. */
  meter?: Meter;
  over?: Partial<CheckoutContext>;
}>;

/** The context of a guest's checkout outside of its object, on the shop's own database. */
export function checkoutContextFor(
  shop: Shop,
  { dies = never, provider, meter, over = {} }: ContextOptions = {},
): CheckoutContext {
  const actor = { type: "session", sessionId, customerId: null, loggedInAt: null } as const;
  const ctx = contextFor(shop, actor);
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const source = {
    prepare: (query: string) => d1.prepare(query),
    batch: <T>(all: D1PreparedStatement[]) => dies(() => d1.batch<T>(all)),
  };
  const sandbox = sandboxProvider(openDb(d1, createMeter()), {
    now: ctx.now,
    pageOf: ({ origin, reference }) => `${origin}/${reference}`,
  });
  const online = providerThatDies(provider ?? sandbox, dies);
  return {
    ...ctx,
    db: openDb(source, meter ?? createMeter()),
    meter: meter ?? createMeter(),
    findProducts: async (ids) => {
      const { products } = await productRepo(contextFor(shop)).findWithComponents(ids);
      return new Map(products.map((one) => [one.id, one]));
    },
    findDeals: async () => ({ automatic: [], coupon: null }),
    providerFor: (method) => (method === "cash" ? cashProvider : online),
    fx: staticRates(null, ctx.now),
    ...over,
  };
}

const sessionId = "ses_test";

/** So many pieces of a product as they come, to be put into a cart. */
export const givenItem = (productId: string, fields: Partial<NewItem> = {}): NewItem => ({
  configuration: {
    productId,
    variantId: null,
    addOnOptionIds: [],
    bundleSelections: [],
    compositeSelections: [],
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  },
  quantity: 1,
  quoteId: null,
  slot: null,
  ...fields,
});

/** A cart of one line; a new one, unless its id is named. */
export async function givenCart(
  ctx: CheckoutContext,
  item: NewItem,
  id = ctx.newId("cart"),
): Promise<Cart> {
  return (await addItem(ctx, emptyCart(id, 0), item)).cart;
}

/** As the plan of a first run found it: nothing is booked, and no order gives way; a run that goes on has none. */
export const nothingRead: Read = {
  services: { companions: [], find: async () => new Map() },
  replaced: [],
  turn: 1,
};

/** The plan of a cart's checkout, by mobile money unless told otherwise; nothing has happened yet. */
export const givenPlan = async (
  ctx: CheckoutContext,
  cart: Cart,
  fields: Partial<CheckoutRequest> = {},
): Promise<Checkout> => (await givenBegun(ctx, cart, { fields })).checkout;

type Begun = Readonly<{
  fields?: Partial<CheckoutRequest>;
  /** The orders whose place it takes. */
  replaces?: readonly string[];
}>;

/** The same, with what was read for it. */
export async function givenBegun(
  ctx: CheckoutContext,
  cart: Cart,
  { fields = {}, replaces = [] }: Begun = {},
): Promise<Readonly<{ checkout: Checkout; read: Read }>> {
  const planned = await planCheckout(ctx, {
    cart,
    sessionId,
    replaces,
    isOrderedFrom: replaces.length > 0,
    request: {
      cartId: cart.id,
      customer: { name: null, email: null, phone: "+233241234560", notes: null },
      orderType: "delivery",
      addressInfo: null,
      paymentMethod: "mobile_money",
      mobileMoney: { phoneNumber: "+233241234560", provider: "mtn" },
      returnUrls: { success: null, cancel: null },
      origin: "https://duka.test",
      payCurrency: null,
      fxQuoteId: null,
      specialInstructions: null,
      metadata: {},
      ...fields,
    },
  });
  if (planned.type !== "planned") throw new Error("nothing was planned");
  return planned;
}
