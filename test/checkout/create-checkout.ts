import { env } from "cloudflare:workers";
import { addItem, type Cart, emptyCart, type NewItem } from "../../shared/cart/index.ts";
import { createProductCache, createVersionCache } from "../../shared/catalogue/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  type CheckoutRequest,
  type PlacingReads,
  planCheckout,
} from "../../shared/checkout/index.ts";
import type { Login } from "../../shared/customers/index.ts";
import { createMeter, type Meter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createOfferCache, groupsTargetedByDeals } from "../../shared/deals/index.ts";
import { createDeliveryCache } from "../../shared/delivery/index.ts";
import { staticRates } from "../../shared/fx/index.ts";
import { type PaymentProvider, sandboxProvider } from "../../shared/payments/index.ts";
import { createTaxRateCache, createTaxReader } from "../../shared/tax/index.ts";
import { withCrashes } from "../support/create-order.ts";
import { type CrashPoint, neverCrash } from "../support/faults.ts";
import { lookupOf } from "../support/provider-lookup.ts";
import { contextFor, type TestBusiness } from "../support/world.ts";

export type ContextOptions = Readonly<{
  /** Called at each effect outside the object: a batch of the shard, a call of the provider. */
  crashPoint?: CrashPoint;
  /** The provider of everything but cash; the sandbox by default. */
  provider?: PaymentProvider;
  /** Counts the round trips of one call; without it there is no limit. */
  meter?: Meter;
  /** The logged-in customer; null for a guest. */
  login?: Login | null;
  overrides?: Partial<CheckoutContext>;
}>;

/** The context of a checkout outside the session object, on the business's shard. */
export function checkoutContextFor(
  shop: TestBusiness,
  { crashPoint = neverCrash, provider, meter, login = null, overrides = {} }: ContextOptions = {},
): CheckoutContext {
  const { customerId = null, loggedInAt = null } = login ?? {};
  const actor = { type: "session", sessionId, customerId, loggedInAt } as const;
  const ctx = contextFor(shop, actor);
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const source = {
    prepare: (query: string) => d1.prepare(query),
    batch: <T>(all: D1PreparedStatement[]) => crashPoint(() => d1.batch<T>(all)),
  };
  const sandbox = sandboxProvider(openDb(d1, createMeter()), {
    now: ctx.now,
    cardPageUrl: ({ origin, reference }) => `${origin}/${reference}`,
  });
  const online = withCrashes(provider ?? sandbox, crashPoint);
  const db = openDb(source, meter ?? createMeter());
  // Cached reads are not counted: the catalogue is read through another client.
  const reader = contextFor(shop);
  const versions = createVersionCache();
  const products = createProductCache(versions, groupsTargetedByDeals);
  const offers = createOfferCache(versions);
  const rates = createTaxRateCache(versions);
  return {
    ...ctx,
    db,
    meter: meter ?? createMeter(),
    digestCallerAddress: async () => null,
    findProducts: (ids) => products.findCurrent(reader, ids),
    delivery: createDeliveryCache(versions)({ ...reader, db }),
    findDeals: (couponCode) => offers.find(reader, couponCode),
    tax: {
      ...createTaxReader({ ...reader, actor }, rates),
      prefetchCurrent: createTaxReader({ ...reader, db, actor }, rates).prefetchCurrent,
    },
    readCatalogue: async (ids, couponCode, prefetches) => {
      const metered = { ...reader, db };
      const deals = offers.prefetchCurrent(metered, couponCode);
      const found = await products.findCurrent(metered, ids, [deals, ...prefetches]);
      return { products: found, offer: await deals.load() };
    },
    providers: lookupOf(online),
    fx: staticRates(null, ctx.now),
    ...overrides,
  };
}

const sessionId = "ses_test";

/** An item of a product without options, one unit by default. */
export const newItem = (productId: string, fields: Partial<NewItem> = {}): NewItem => ({
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

/** A cart with one line. */
export async function createCart(
  ctx: CheckoutContext,
  item: NewItem,
  id = ctx.newId("cart"),
): Promise<Cart> {
  return (await addItem(ctx, emptyCart(id, 0), item)).cart;
}

/** A planned checkout of a cart, by mobile money by default. `readsOf` has what was read for it. */
export const createPlannedCheckout = async (
  ctx: CheckoutContext,
  cart: Cart,
  fields: Partial<CheckoutRequest> = {},
): Promise<Checkout> => (await planCheckoutWithReads(ctx, cart, { fields })).checkout;

const readsByCheckout = new WeakMap<Checkout, PlacingReads>();

/** What was read for a planned checkout. A resumed run does not have it. */
export function readsOf(checkout: Checkout): PlacingReads {
  const reads = readsByCheckout.get(checkout);
  if (!reads) throw new Error("This checkout was not planned here.");
  return reads;
}

type PlanningOptions = Readonly<{
  fields?: Partial<CheckoutRequest>;
  /** The ids of the orders that it replaces. */
  replaces?: readonly string[];
}>;

/** Plans a checkout, and returns it with what was read for it. */
export async function planCheckoutWithReads(
  ctx: CheckoutContext,
  cart: Cart,
  { fields = {}, replaces = [] }: PlanningOptions = {},
): Promise<Readonly<{ checkout: Checkout; reads: PlacingReads }>> {
  const planned = await planCheckout(ctx, {
    cart,
    sessionId,
    replaces,
    isOrderedFrom: replaces.length > 0,
    request: {
      cartId: cart.id,
      customer: {
        name: null,
        email: null,
        phone: "+233241234560",
        notes: null,
        savesDetails: false,
      },
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
  readsByCheckout.set(planned.checkout, planned.reads);
  return planned;
}
