import { DukaError, NotFoundError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo } from "../http/respond.tsx";
import type { FormState } from "../parts/fields.tsx";
import { slotRefusalText } from "../services/slot-refusal.ts";
import { quantityField, showCart } from "./cart-page.tsx";
import type { ShownCart } from "./delivery.tsx";
import { restoreOwnCart } from "./hand-over.tsx";
import { openShop, type VisitedShop } from "./open-shop.ts";

/** Carries out a form of the cart's page, and shows the cart. */
export async function changeCart(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  if (form.get("action") === "own_cart") return restoreOwnCart(c, shop);
  const options = { idempotencyKey: await submissionKey(form) };
  try {
    const cart = await runAction(shop, form, options);
    // What the change has taken out of the cart is in this answer alone.
    if (cart !== null && cart.notices.length > 0) return showCart(c, { shop, cart });
  } catch (error) {
    if (error instanceof NotFoundError) return redirectTo(c, `${shop.path}/cart`); // changed elsewhere
    if (!(error instanceof DukaError) || ![400, 409, 422].includes(error.status)) throw error;
    return showCart(c, { shop, status: 422, form: refusedForm(form, error) });
  }
  return redirectTo(c, `${shop.path}/cart`);
}

type SubmissionOptions = Readonly<{ idempotencyKey: string }>;

async function runAction(
  shop: VisitedShop,
  form: FormFields,
  options: SubmissionOptions,
): Promise<ShownCart | null> {
  const { cart } = shop.api;
  const line = form.get("line");
  switch (form.get("action")) {
    case "quantity": {
      const quantity = Number(form.get("quantity"));
      if (quantity === 0) return (await cart.removeItem(line, options)).data;
      return (await cart.updateItem(line, { quantity }, options)).data;
    }
    case "remove":
      return (await cart.removeItem(line, options)).data;
    case "add_code":
      return (await cart.applyCoupon({ coupon_code: form.get("code") }, options)).data;
    case "remove_code":
      return (await cart.removeCouponByCode(form.get("code"), options)).data;
    case "delivery":
      return chooseDelivery(shop, form.get("delivery_option"), options);
    default:
      throw notFoundPage("This page has no such form.");
  }
}

/** Keeps the address that the cart has; the business's country stands for one until the checkout. */
async function chooseDelivery(shop: VisitedShop, optionId: string, options: SubmissionOptions) {
  const { data: cart } = await shop.api.cart.get();
  const address = cart.delivery?.address ?? { country: shop.business.default_country };
  const isPickup = optionId.startsWith("loc_");
  const input = { option_id: optionId, ...(!isPickup && { address }) };
  return (await shop.api.cart.setDelivery(input, options)).data;
}

/** The refusal beside the field that was typed into. */
function refusedForm(form: FormFields, error: DukaError): FormState {
  switch (form.get("action")) {
    case "add_code":
      return { values: { code: form.get("code") }, errors: { code: codeText(error) } };
    case "quantity": {
      const name = quantityField(form.get("line"));
      return { values: { [name]: form.get("quantity") }, errors: { [name]: quantityText(error) } };
    }
    default:
      return { values: {}, errors: {}, message: slotRefusalText(error) };
  }
}

function quantityText(error: DukaError): string {
  if (error.status === 400) return "Enter a quantity from 1 to 100, or 0 to remove it.";
  if (error.rule !== "OUT_OF_STOCK") return slotRefusalText(error);
  return `Only ${Number(error.context.quantity_available ?? 0)} can be bought at the moment.`;
}

const codeTexts: Readonly<Record<string, string>> = {
  COUPON_INVALID: "This code does not apply to your cart.",
  COUPON_NOT_STARTED: "This code is not valid yet.",
  COUPON_EXPIRED: "This code has expired.",
  COUPON_MIN_NOT_MET: "Your cart is too small for this code.",
  COUPON_EXHAUSTED: "This code has been used up.",
  COUPON_LIMIT: "Your cart has as many codes as it may have.",
};

const codeText = (error: DukaError): string => codeTexts[error.rule ?? ""] ?? error.message;
