import { DukaError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo } from "../http/respond.tsx";
import { forShoppers, paymentRefusalText } from "../parts/refusal-text.ts";
import { fieldErrorsOf } from "../shop/checkout-form.ts";
import { type OpenedOrder, openLinkedOrder, openOrder, withParameter } from "./open-order.ts";
import { type OrderView, showOrder } from "./order-page.tsx";
import { showLinkedOrder } from "./payment-page.tsx";

/** A page of an order with forms, whose refusals it shows. */
type OrderForms = Readonly<{
  open: (c: PageContext) => Promise<OpenedOrder>;
  show: (c: PageContext, opened: OpenedOrder, view: OrderView) => Promise<Response>;
  run: typeof runPayment;
}>;

/** Carries out a form of an order's page: pay, answer a challenge, cancel, or back to the cart. */
export const changeOrder = (c: PageContext): Promise<Response> =>
  submitOrderForm(c, { open: openOrder, show: showOrder, run: runAction });

/** Carries out a form of a payment link's page, which only pays. */
export const payLinkedOrder = (c: PageContext): Promise<Response> =>
  submitOrderForm(c, { open: openLinkedOrder, show: showLinkedOrder, run: runPayment });

async function submitOrderForm(c: PageContext, page: OrderForms): Promise<Response> {
  const form = await readForm(c);
  const opened = await page.open(c);
  if (isPaying(form) && opened.payment.payment_methods.length === 0)
    return redirectTo(c, opened.path);
  const errors = paymentErrors(form, opened);
  const refuse = (refused: OpenedOrder, shown: Refused) =>
    page.show(c, refused, viewOfRefused(form, shown));
  if (Object.keys(errors).length > 0) return refuse(opened, { errors, status: 400 });
  try {
    return redirectTo(c, await page.run(opened, form));
  } catch (error) {
    if (!(error instanceof DukaError)) throw error;
    const current = await page.open(c);
    // Somebody has paid it meanwhile, or it was cancelled: its page says so.
    if (isPaying(form) && error.rule === "INVALID_STATE") return redirectTo(c, opened.path);
    const fields = fieldErrorsOf(error.issues);
    if (Object.keys(fields).length > 0) return refuse(current, { errors: fields, status: 400 });
    const status = statusOf(error);
    if (status === null) throw error;
    const isOver = error.context.reason === "PAYMENT_DECLINED";
    const key = error.retryable && !isOver ? form.get("form_key") : undefined;
    return refuse(current, { status, key, message: refusalText(error) });
  }
}

type Status = NonNullable<OrderView["status"]>;

const isPaying = (form: FormFields): boolean => ["pay", "authorize"].includes(form.get("action"));

/** The status of a page that shows the refusal beside its form; null for one that it does not show. */
function statusOf({ status, context }: DukaError): Status | null {
  if (context.reason === "PAYMENT_DECLINED") return 422;
  if (context.reason === "PROVIDER_UNAVAILABLE") return 503;
  if (status === 429) return 429;
  return [400, 409, 422].includes(status) ? 422 : null;
}

/** @returns the path that the browser goes to. */
async function runPayment(opened: OpenedOrder, form: FormFields): Promise<string> {
  const { shop, order, payment, token, path, returnUrl } = opened;
  const options = { idempotencyKey: await submissionKey(form, order.id) };
  switch (form.get("action")) {
    case "pay": {
      const method = payment.payment_methods.find((one) => one === form.get("payment_method"));
      if (method === undefined) return path;
      const { data } = await shop.api.orders.pay(
        order.id,
        {
          token,
          payment_method: method,
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
      return data.next_action.type === "redirect" ? withParameter(path, "continue=1") : path;
    }
    case "authorize": {
      const { next_action: next, payment_id } = payment;
      if (next.type !== "authorization" || next.authorization_type !== form.get("code_type"))
        return path;
      const authorization = { type: next.authorization_type, value: form.get("code") };
      await shop.api.payments.authorize({ payment_id, authorization, token }, options);
      return path;
    }
    default:
      throw notFoundPage("This page has no such form.");
  }
}

/** @returns the path that the browser goes to. */
async function runAction(opened: OpenedOrder, form: FormFields): Promise<string> {
  const { shop, order, token, path } = opened;
  const options = { idempotencyKey: await submissionKey(form, order.id) };
  switch (form.get("action")) {
    case "cancel":
      await shop.api.orders.cancel(
        order.id,
        { token, reason: "Cancelled by the customer" },
        options,
      );
      return path;
    case "reopen": {
      await shop.api.orders.reopenCart(order.id, { token }, options);
      return `${shop.path}/cart`;
    }
    default:
      return runPayment(opened, form);
  }
}

function paymentErrors(
  form: FormFields,
  { payment }: Pick<OpenedOrder, "payment">,
): Readonly<Record<string, string>> {
  const action = form.get("action");
  if (action === "authorize") return form.get("code") === "" ? { code: "Enter the code." } : {};
  if (action !== "pay") return {};
  const method = form.get("payment_method");
  if (!payment.payment_methods.some((one) => one === method))
    return { payment_method: "Choose how you want to pay." };
  if (method !== "mobile_money") return {};
  return {
    ...(form.get("mobile_phone") === "" && { mobile_phone: "Enter the number of your account." }),
    ...(form.get("mobile_network") === "" && { mobile_network: "Choose the network." }),
  };
}

type Refused = Pick<OrderView, "key"> &
  Readonly<{ status: Status; errors?: Readonly<Record<string, string>>; message?: string }>;

/** The page with what was typed, except codes. */
function viewOfRefused(
  form: FormFields,
  { errors = {}, message, key, status }: Refused,
): OrderView {
  const names = ["payment_method", "mobile_phone", "mobile_network"];
  const sent = names.filter((name) => form.names.includes(name));
  const values = Object.fromEntries(sent.map((name) => [name, form.get(name)]));
  const shown = { values, errors, ...(message !== undefined && { message }) };
  return { form: shown, key, status };
}

/** What went wrong and what to do. */
function refusalText(error: DukaError): string {
  const { attempts_left: left } = error.context;
  if (error.rule === "AUTHORIZATION_FAILED") {
    return Number(left) > 0
      ? `That is not right. Tries left: ${left}.`
      : "That was wrong three times. Pay again, or choose another way to pay.";
  }
  if (error.status === 429) return "That was very often. Wait a minute, then try again.";
  return paymentRefusalText(error) ?? forShoppers(error);
}
