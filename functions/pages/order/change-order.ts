import { DukaError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo } from "../http/respond.tsx";
import { forShoppers, paymentRefusalText } from "../parts/refusal-text.ts";
import { noteHolds } from "../services/slot-holds.ts";
import { type OpenedOrder, openOrder } from "./open-order.ts";
import { showOrder } from "./order-page.tsx";

/** Carries out a form of an order's page: pay, answer a challenge, cancel, or back to the cart. */
export async function changeOrder(c: PageContext): Promise<Response> {
  const form = await readForm(c);
  const opened = await openOrder(c);
  const errors = paymentErrors(form);
  if (Object.keys(errors).length > 0) return showAgain(c, opened, { form, errors, status: 400 });
  try {
    return redirectTo(c, await runAction(c, opened, form));
  } catch (error) {
    if (!(error instanceof DukaError)) throw error;
    const isDeclined = error.context.reason === "PAYMENT_DECLINED";
    const hasAnswer = isDeclined || [400, 409, 422].includes(error.status);
    if (!hasAnswer && error.context.reason !== "PROVIDER_UNAVAILABLE") throw error;
    const key = error.retryable && !isDeclined ? form.get("form_key") : undefined;
    const status = hasAnswer ? 422 : 503;
    return showAgain(c, await openOrder(c), { form, status, key, message: refusalText(error) });
  }
}

/** @returns the path that the browser goes to. */
async function runAction(c: PageContext, opened: OpenedOrder, form: FormFields): Promise<string> {
  const { shop, order, payment, token, path } = opened;
  const options = { idempotencyKey: await submissionKey(form, order.id) };
  switch (form.get("action")) {
    case "pay": {
      const returnUrl = `${shop.origin}${path}`;
      const method = shop.business.payment_methods.find(
        (one) => one === form.get("payment_method"),
      );
      const { data } = await shop.api.orders.pay(
        order.id,
        {
          token,
          payment_method: method ?? "cash",
          ...(method === "mobile_money" && {
            mobile_money_details: {
              phone_number: form.get("mobile_phone"),
              provider: form.get("mobile_network"),
            },
          }),
          metadata: { success_url: returnUrl, cancel_url: returnUrl },
        },
        options,
      );
      return data.next_action.type === "redirect" ? `${path}&continue=1` : path;
    }
    case "authorize": {
      const { next_action: next, payment_id } = payment;
      if (next.type !== "authorization" || next.authorization_type !== form.get("code_type"))
        return path;
      const authorization = { type: next.authorization_type, value: form.get("code") };
      await shop.api.payments.authorize({ payment_id, authorization }, options);
      return path;
    }
    case "cancel":
      await shop.api.orders.cancel(
        order.id,
        { token, reason: "Cancelled by the customer" },
        options,
      );
      return path;
    case "reopen": {
      const { data: cart } = await shop.api.orders.reopenCart(order.id, { token }, options);
      noteHolds(c, cart.items);
      return `${shop.path}/cart`;
    }
    default:
      throw notFoundPage("This page has no such form.");
  }
}

function paymentErrors(form: FormFields): Readonly<Record<string, string>> {
  const action = form.get("action");
  if (action === "authorize") return form.get("code") === "" ? { code: "Enter the code." } : {};
  if (action !== "pay" || form.get("payment_method") !== "mobile_money") return {};
  return {
    ...(form.get("mobile_phone") === "" && { mobile_phone: "Enter the number of your account." }),
    ...(form.get("mobile_network") === "" && { mobile_network: "Choose the network." }),
  };
}

type Refused = Readonly<{
  form: FormFields;
  errors?: Readonly<Record<string, string>>;
  message?: string;
  key?: string | undefined;
  status: 400 | 409 | 422 | 503;
}>;

/** The page with what was typed, except codes. */
function showAgain(
  c: PageContext,
  opened: OpenedOrder,
  { form, errors = {}, message, key, status }: Refused,
): Promise<Response> {
  const names = ["payment_method", "mobile_phone", "mobile_network"];
  const sent = names.filter((name) => form.names.includes(name));
  const values = Object.fromEntries(sent.map((name) => [name, form.get(name)]));
  const shown = { values, errors, ...(message !== undefined && { message }) };
  return showOrder(c, opened, { form: shown, key, status });
}

/** What went wrong and what to do. */
function refusalText(error: DukaError): string {
  const { attempts_left: left } = error.context;
  if (error.rule === "AUTHORIZATION_FAILED") {
    return Number(left) > 0
      ? `That is not right. Tries left: ${left}.`
      : "That was wrong three times. Pay again, or choose another way to pay.";
  }
  return paymentRefusalText(error) ?? forShoppers(error);
}
