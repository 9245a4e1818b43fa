import { DukaError, NotFoundError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { redirectTo } from "../http/respond.tsx";
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
  // The cart of a form that was sent twice is empty by now.
  if (cart.items.length === 0) return redirectTo(c, shop.lastOrderPath() ?? `${shop.path}/cart`);
  const options = await loadDeliveryOptions(shop, cart, addressOf(values));
  const draft = { shop, cart, options, form, values };
  const errors = findCheckoutErrors(values, {
    options,
    methods: payableMethods(shop, { delivery: deliveryOf(values) }, options),
  });
  const isUpdate = form.get("action") === "update";
  if (!isUpdate && Object.keys(errors).length > 0) return refuse(c, draft, { errors, status: 400 });
  const priced = await setDelivery(draft);
  if (priced instanceof DukaError) {
    const delivery_option = "This does not reach the address. Choose another way.";
    return refuse(c, draft, { errors: { delivery_option }, status: 422 });
  }
  if (isUpdate) return refuse(c, { ...draft, cart: priced }, { errors: {}, status: 200 });
  const total = priced.pricing.total_price;
  if (total !== values.shown_total) {
    const price = formatPrice(total, shop.business);
    const message = `The total is ${price} now. Nothing was ordered yet: check it, and place the order.`;
    return refuse(c, { ...draft, cart: priced }, { message, status: 422 });
  }
  return sendOrder(c, { ...draft, cart: priced });
}

const deliveryOf = ({ delivery_option: id }: CheckoutValues): ShownCart["delivery"] =>
  id === ""
    ? null
    : { option_id: id, type: "delivery", name: "", price: "0", address: null, location_id: "" };

/** Gives the cart the chosen delivery, with the address; returns the refusal of one that is not offered. */
async function setDelivery({ shop, cart, options, values }: Draft): Promise<ShownCart | DukaError> {
  if (options.every(({ id }) => id !== values.delivery_option)) return cart;
  const address = needsAddress(values, options) ? { address: addressOf(values) } : {};
  try {
    return (await shop.api.cart.setDelivery({ option_id: values.delivery_option, ...address }))
      .data;
  } catch (error) {
    if (error instanceof DukaError && [400, 404, 422].includes(error.status)) return error;
    throw error;
  }
}

/** What the checkout of a form is, apart from the cart: the same for the same form. */
function orderInput({ shop, options, values }: Omit<Draft, "cart" | "form">) {
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
    ...(options.length === 0 && { order_type: "pickup" as const }),
    payment_method: values.payment_method as PaymentMethod, // safe: findCheckoutErrors has checked it
    ...(values.payment_method === "mobile_money" && {
      mobile_money_details: { phone_number: values.mobile_phone, provider: values.mobile_network },
    }),
    metadata: { success_url: returnUrl, cancel_url: returnUrl },
  };
}

async function sendOrder(c: PageContext, draft: Draft): Promise<Response> {
  const { shop, cart, form } = draft;
  const { total_price: total } = cart.pricing;
  try {
    const { data } = await shop.api.checkout.placeOrder(
      { cart_id: cart.id, ...orderInput(draft), expected_total: total },
      // The cart is part of the key: the same form may be sent for a cart that has changed.
      { idempotencyKey: await submissionKey(form, cart.id) },
    );
    const isLeaving = data.next_action.type === "redirect" ? "&continue=1" : "";
    return redirectTo(c, orderPath(data.order_id, data.bill_token) + isLeaving);
  } catch (error) {
    return respondToRefusal(c, draft, error);
  }
}

async function respondToRefusal(c: PageContext, draft: Draft, error: unknown): Promise<Response> {
  if (!(error instanceof DukaError)) throw error;
  const { shop, form } = draft;
  const { data: cart } = await shop.api.cart.get();
  if (error instanceof NotFoundError || cart.items.length === 0)
    return redirectTo(c, shop.lastOrderPath() ?? `${shop.path}/cart`);
  const current = { ...draft, cart };
  const errors = fieldErrorsOf(error.issues);
  if (Object.keys(errors).length > 0) return refuse(c, current, { errors, status: 400 });
  const isDeclined = error.context.reason === "PAYMENT_DECLINED";
  // Without an answer the same submission is continued: the provider may have charged already.
  const key = error.retryable && !isDeclined ? form.get("form_key") : undefined;
  const status = error.status === 409 ? 409 : isDeclined || error.status < 500 ? 422 : 503;
  return refuse(c, current, { message: refusalText(shop, error), status, key });
}

type Refused = Pick<CheckoutView, "status" | "key"> &
  Readonly<{ errors?: Readonly<Record<string, string>>; message?: string }>;

const refuse = (
  c: PageContext,
  { shop, cart, options, values }: Draft,
  { errors = {}, message, status, key }: Refused,
): Promise<Response> =>
  showCheckout(c, {
    shop,
    cart,
    options,
    key,
    status: status ?? 422,
    form: { values, errors, ...(message !== undefined && { message }) },
  });

/** What went wrong and what to do, in the words of a shop. */
function refusalText({ business }: VisitedShop, error: DukaError): string {
  const payment = paymentRefusalText(error);
  if (payment !== null) return payment;
  const { total_price: total } = error.context;
  switch (error.rule) {
    case "PRICE_CHANGED":
      return `The price has changed. The total is ${formatPrice(String(total), business)} now. Nothing was ordered yet.`;
    case "OUT_OF_STOCK":
      return "Something in your cart has just been sold out, or too little of it is left. Change the cart, and try again.";
    case "ITEM_UNAVAILABLE":
      return "Something in your cart is no longer for sale. Nothing was ordered yet: look at what is left.";
    case "SLOT_UNAVAILABLE":
      return "A time in your order is no longer free. Nothing was ordered yet: choose another one, and order again.";
    default:
      return forShoppers(error);
  }
}
