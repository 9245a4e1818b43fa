import {
  ConflictError,
  DukaError,
  NotFoundError,
  type StorefrontSchemas,
} from "../../../sdk/src/storefront.ts";
import { logInPath } from "../account/load-account.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { redirectTo } from "../http/respond.tsx";
import type { FormState } from "../parts/fields.tsx";
import { formatPrice } from "../parts/format.ts";
import { forShoppers, paymentRefusalText } from "../parts/refusal-text.ts";
import {
  addressOf,
  type CheckoutValues,
  fieldErrorsOf,
  findCheckoutErrors,
  needsAddress,
  type PaymentMethod,
  readCheckoutValues,
} from "./checkout-form.ts";
import { type CheckoutView, payableMethods, showCheckout } from "./checkout-page.tsx";
import { type DeliveryOption, loadDeliveryOptions, type ShownCart } from "./delivery.tsx";
import { openShop, orderPath, type VisitedShop } from "./open-shop.ts";

type Draft = Readonly<{
  shop: VisitedShop;
  cart: ShownCart;
  options: readonly DeliveryOption[];
  form: FormFields;
  values: CheckoutValues;
}>;

/**
 * Places the order of a submitted checkout. What is refused is shown beside what was typed; a form
 * that is sent twice places one order.
 */
export async function placeOrder(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  const values = readCheckoutValues(form);
  const cart = shop.hasSession() ? (await shop.api.cart.get()).data : null;
  if (cart === null) return redirectTo(c, `${shop.path}/cart`);
  // A form that was sent before has ordered its cart, and the session has another one.
  const repeated = cart.id === values.cart ? null : await repeatOrder(c, { shop, form, values });
  if (repeated !== null) return repeated;
  if (cart.items.length === 0) return redirectTo(c, shop.lastOrderPath() ?? `${shop.path}/cart`);
  const options = await loadDeliveryOptions(shop, cart, addressOf(values));
  const draft = { shop, cart, options, form, values };
  const errors = findCheckoutErrors(values, {
    options,
    methods: payableMethods(shop, values.delivery_option, options),
  });
  const isUpdate = form.get("action") === "update";
  if (!isUpdate && Object.keys(errors).length > 0) return refuse(c, draft, { errors, status: 400 });
  const priced = await setDelivery(draft);
  if (priced instanceof ConflictError) return sendOrder(c, draft); // the form is being carried out
  if (priced instanceof DukaError) {
    const delivery_option = "This does not reach the address. Choose another way.";
    return refuse(c, draft, { errors: { delivery_option }, status: 422 });
  }
  if (isUpdate) return refuse(c, { ...draft, cart: priced }, { errors: {}, status: 200 });
  if (priced.id !== cart.id) {
    const ordered = await repeatOrder(c, { shop, form, values });
    if (ordered !== null) return ordered;
  }
  const total = priced.pricing.total_price;
  if (total !== values.shown_total) {
    const price = formatPrice(total, shop.business);
    const message = `The total is ${price} now. Nothing was ordered yet: check it, and place the order.`;
    return refuse(c, { ...draft, cart: priced }, { message, status: 422 });
  }
  return sendOrder(c, { ...draft, cart: priced });
}

type SentForm = Pick<Draft, "shop" | "form" | "values">;

/** Repeats an order with its key, which leads to it again; null for a form that has ordered nothing. */
async function repeatOrder(c: PageContext, sent: SentForm): Promise<Response | null> {
  const { shop, form, values } = sent;
  if (!/^cart_[0-9a-z]+$/.test(values.cart) || form.get("action") === "update") return null;
  const isDelivered = values.delivery_option !== "";
  const input = { ...orderInput(sent, isDelivered), expected_total: values.shown_total };
  try {
    const { data } = await shop.api.checkout.placeOrder(
      { cart_id: values.cart, ...input },
      { idempotencyKey: await submissionKey(form, values.cart) },
    );
    return respondWithPlacedOrder(c, data);
  } catch (error) {
    if (error instanceof DukaError && [400, 404, 409, 422].includes(error.status)) return null;
    throw error;
  }
}

/** Gives the cart the chosen delivery, with the address; returns the refusal of one that is not offered. */
async function setDelivery({ shop, cart, options, values }: Draft): Promise<ShownCart | DukaError> {
  if (options.every(({ id }) => id !== values.delivery_option)) return cart;
  const address = needsAddress(values, options) ? { address: addressOf(values) } : {};
  try {
    return (await shop.api.cart.setDelivery({ option_id: values.delivery_option, ...address }))
      .data;
  } catch (error) {
    if (error instanceof DukaError && [400, 404, 409, 422].includes(error.status)) return error;
    throw error;
  }
}

/** What the checkout of a form is, apart from the cart: the same for the same form. */
function orderInput({ shop, values }: Pick<Draft, "shop" | "values">, isDelivered: boolean) {
  const { name, email, phone, notes } = values;
  const returnUrl = `${shop.origin}/orders/{ORDER_ID}?token={BILL_TOKEN}`;
  return {
    customer: {
      ...(name && { name }),
      ...(email && { email }),
      ...(phone && { phone }),
      ...(notes && { notes }),
    },
    // A shop without deliveries hands its orders over itself.
    ...(!isDelivered && { order_type: "pickup" as const }),
    payment_method: values.payment_method as PaymentMethod, // safe: findCheckoutErrors has checked it
    ...(values.payment_method === "mobile_money" && {
      mobile_money_details: { phone_number: values.mobile_phone, provider: values.mobile_network },
    }),
    metadata: { success_url: returnUrl, cancel_url: returnUrl },
  };
}

const respondWithPlacedOrder = (
  c: PageContext,
  { order_id: id, bill_token: token, next_action: next }: StorefrontSchemas["CheckoutResult"],
): Response =>
  redirectTo(c, orderPath(id, token) + (next.type === "redirect" ? "&continue=1" : ""));

async function sendOrder(c: PageContext, draft: Draft): Promise<Response> {
  const { shop, cart, options, form, values } = draft;
  const input = { ...orderInput(draft, options.length > 0), expected_total: values.shown_total };
  try {
    const { data } = await shop.api.checkout.placeOrder(
      { cart_id: cart.id, ...input },
      // The cart is part of the key: the same form may be sent for a cart that has changed.
      { idempotencyKey: await submissionKey(form, cart.id) },
    );
    return respondWithPlacedOrder(c, data);
  } catch (error) {
    return respondToRefusal(c, draft, error);
  }
}

async function respondToRefusal(c: PageContext, draft: Draft, error: unknown): Promise<Response> {
  if (!(error instanceof DukaError)) throw error;
  const { shop, form } = draft;
  const { data: cart } = await shop.api.cart.get();
  if (error instanceof NotFoundError || cart.items.length === 0) {
    const repeated = await repeatOrder(c, draft);
    return repeated ?? redirectTo(c, shop.lastOrderPath() ?? `${shop.path}/cart`);
  }
  const current = { ...draft, cart };
  const errors = fieldErrorsOf(error.issues);
  if (Object.keys(errors).length > 0) return refuse(c, current, { errors, status: 400 });
  const isDeclined = error.context.reason === "PAYMENT_DECLINED";
  // Without an answer the same submission is continued: the provider may have charged already.
  const key = error.retryable && !isDeclined ? form.get("form_key") : undefined;
  const status = error.status === 409 ? 409 : isDeclined || error.status < 500 ? 422 : 503;
  return refuse(c, current, { ...refusalText(shop, error), status, key });
}

type Refused = Pick<CheckoutView, "status" | "key"> &
  Pick<FormState, "message" | "link"> &
  Readonly<{ errors?: Readonly<Record<string, string>> }>;

async function refuse(
  c: PageContext,
  { shop, cart, options, values }: Draft,
  { errors = {}, message, link, status, key }: Refused,
): Promise<Response> {
  const isLoggedIn = (await shop.api.auth.getStatus()).data.is_authenticated;
  return showCheckout(c, {
    ...{ shop, cart, options, isLoggedIn, key },
    status: status ?? 422,
    form: { values, errors, message, link },
  });
}

/** What went wrong and what to do, in the words of a shop. */
function refusalText(shop: VisitedShop, error: DukaError): Pick<FormState, "message" | "link"> {
  const payment = paymentRefusalText(error);
  if (payment !== null) return { message: payment };
  const { total_price: total } = error.context;
  const link = { href: `${shop.path}/cart`, name: "Change the cart" };
  switch (error.rule) {
    case "PRICE_CHANGED": {
      const price = formatPrice(String(total), shop.business);
      return {
        message: `The price has changed. The total is ${price} now. Nothing was ordered yet.`,
      };
    }
    case "OUT_OF_STOCK":
      return {
        message: `${forShoppers(error)} Nothing was ordered yet: it has been sold out, or too little of it is left.`,
        link,
      };
    case "ITEM_UNAVAILABLE":
      return {
        message:
          "Something in your cart is no longer for sale. Nothing was ordered yet: look at what is left.",
        link,
      };
    case "SLOT_UNAVAILABLE":
      return {
        message:
          "A time in your order is no longer free. Nothing was ordered yet: choose another one, and order again.",
      };
    case "CUSTOMER_REQUIRED":
      return {
        message: "This is sold to customers who are logged in. Nothing was ordered yet.",
        link: { href: logInPath(shop, "checkout"), name: "Log in and come back" },
      };
    default:
      return { message: forShoppers(error) };
  }
}
