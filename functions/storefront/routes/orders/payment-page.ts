import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { PaymentMethod } from "../../../../shared/businesses/index.ts";
import { payOrder } from "../../../../shared/checkout/index.ts";
import { allowsPayment } from "../../../../shared/delivery/index.ts";
import {
  declinedPaymentReason,
  findRefusal,
  minute,
  type Refusal,
} from "../../../../shared/kernel/index.ts";
import { authorizePayment, type OrderDetails, orderRepo } from "../../../../shared/orders/index.ts";
import { payableMethods } from "../../../../shared/payments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { receiveBody } from "../../../http/bodies.ts";
import type { RequestContext } from "../../../http/context.ts";
import { statusOf } from "../../../http/errors.ts";
import {
  assertWithinLimit,
  isWithinLimit,
  type RateLimitedContext,
} from "../../../http/rate-limits/rate-limit.ts";
import { runtime } from "../../../runtime/runtime.ts";
import type { StorefrontBindings } from "../../env.ts";
import { pageHeaders } from "../../pages/page-headers.ts";
import type { PaymentFormState } from "../../pages/payment/payment-form.ts";
import { paymentMessagePage, paymentPage } from "../../pages/payment/payment-page.ts";
import { offersPayment } from "../../pages/payment/payment-state.ts";
import { paymentStyle } from "../../pages/payment/payment-style.ts";
import {
  type OpenedLink,
  openPaymentLink,
  stateOf,
  verifyOpenPayment,
} from "../../payment-link.ts";
import {
  parsePaymentForm,
  requestKeyOf,
  type SubmittedPayment,
} from "../../requests/payment-form.ts";

/**
 * The page of a payment link, for a browser without a session. The holder of the link may see and
 * pay its order, and nothing else. docs/contract/storefront.md#payment-page
 */
export const paymentPages = createRoutes<StorefrontBindings>();

/** Submissions of one order's page per minute. Each of them may send a prompt to a phone. */
const submissionsPerMinute = 10;
/** How often a minute one order's page asks the provider, however often it is loaded. */
const checksPerMinute = 10;

const receiveForm = receiveBody({
  maxBytes: 16 * 1024,
  message: "The form is larger than 16 KiB.",
});

paymentPages.get("/:token", (c) =>
  withLink(c, c.req.param("token"), async (link) => {
    const isShopperDone = c.req.query("check") !== undefined;
    const details = await verifyOpenPayment(link, {
      isShopperDone,
      mayAsk: () => isWithinCheckLimit(c, link.details),
    });
    return respondWithPage(
      c,
      { ...link, details },
      { isLeaving: c.req.query("continue") !== undefined },
    );
  }),
);

paymentPages.post("/:token", receiveForm, (c) =>
  withLink(c, c.req.param("token"), async (link) => {
    const requestedAt = runtime.now();
    const { ctx, details, path } = link;
    if (!offersPayment(stateOf(link))) return redirect(c, path);
    const methods = methodsFor(link);
    const submitted = parsePaymentForm(new URLSearchParams(await c.req.text()), {
      business: ctx.business,
      methods,
      newKey: () => crypto.randomUUID(),
    });
    if (submitted.type === "invalid") return respondWithPage(c, link, { submitted, status: 400 });
    const { method: paymentMethod, mobileMoney } = submitted;
    const { origin } = new URL(c.req.url);
    const returnUrl = `${origin}${path}`;
    try {
      await assertMaySubmit(c, details);
      const { payment } = await payOrder(ctx, details, {
        sessionId: details.payment.sessionId, // the session that placed it may still authorize it
        paymentMethod,
        mobileMoney,
        returnUrls: { success: returnUrl, cancel: returnUrl },
        origin,
        payCurrency: null,
        fxQuoteId: null,
        metadata: {},
        requestedAt,
        requestKey: await requestKeyOf(details.order.id, submitted),
      });
      return redirect(c, payment.nextAction.type === "redirect" ? `${path}?continue=1` : path);
    } catch (error) {
      return respondToRefusedPayment(c, link, { submitted, refusal: requireRefusal(error) });
    }
  }),
);

paymentPages.post("/:token/authorize", receiveForm, (c) =>
  withLink(c, c.req.param("token"), async (link) => {
    const { ctx, details, path } = link;
    const fields = new URLSearchParams(await c.req.text());
    const value = (fields.get("value") ?? "").trim();
    const state = stateOf(link);
    if (state.type !== "authorize" || state.authorizationType !== fields.get("type"))
      return redirect(c, path);
    if (value === "" || value.length > 200) {
      return respondWithPage(c, link, { valueError: "Enter the value.", status: 400 });
    }
    const { id: paymentId, sessionId, nextAction } = details.payment;
    if (nextAction.type !== "authorization") return redirect(c, path);
    const type = nextAction.authorizationType;
    try {
      await assertMaySubmit(c, details);
      await authorizePayment(ctx, { paymentId, sessionId, customerId: null, type, value });
      return redirect(c, path);
    } catch (error) {
      return respondToRefusedValue(c, link, requireRefusal(error));
    }
  }),
);

/** Opens the link, and shows a refusal as a page. A forged link looks like an unknown one. */
async function withLink(
  c: RequestContext,
  token: string,
  respond: (link: OpenedLink) => Promise<Response>,
): Promise<Response> {
  try {
    const link = await openPaymentLink(c, token);
    if (link !== null) return await respond(link);
    return respondWithMessage(c, 404, {
      title: "This is not a payment link",
      text: "Check the address, or ask the shop for a new link.",
    });
  } catch (error) {
    const refusal = requireRefusal(error);
    return respondWithMessage(c, statusOf(refusal), {
      title: "The page cannot be shown now",
      text: refusal.message,
    });
  }
}

const assertMaySubmit = (c: RateLimitedContext, { order }: OrderDetails) =>
  assertWithinLimit(c, {
    name: `payment-link:${order.id}`,
    limit: submissionsPerMinute,
    windowMs: minute,
  });

/** Whether a page that is loaded may ask the provider; otherwise it shows what is stored. */
const isWithinCheckLimit = (c: RateLimitedContext, { order }: OrderDetails): Promise<boolean> =>
  isWithinLimit(c, {
    name: `payment-link-check:${order.id}`,
    limit: checksPerMinute,
    windowMs: minute,
  });

/** Shows the form again with what was typed, or the page of an order that cannot be paid any more. */
async function respondToRefusedPayment(
  c: RequestContext,
  link: OpenedLink,
  { submitted, refusal }: Readonly<{ submitted: SubmittedPayment; refusal: Refusal }>,
): Promise<Response> {
  const { reason, rule } = refusal.context ?? {};
  if (rule === "INVALID_STATE") return redirect(c, link.path);
  const isOver = reason === declinedPaymentReason || rule === "PAYMENT_METHOD_UNAVAILABLE";
  const details = await orderRepo(link.ctx).get(link.details.order.id);
  // A refused payment is over, so its form gets a new key; any other one is tried again.
  const key = isOver ? crypto.randomUUID() : submitted.key;
  return respondWithPage(
    c,
    { ...link, details },
    {
      submitted: { ...submitted, key },
      error: refusal.message,
      status: isOver ? 422 : statusOf(refusal),
    },
  );
}

async function respondToRefusedValue(
  c: RequestContext,
  link: OpenedLink,
  refusal: Refusal,
): Promise<Response> {
  const { rule, attempts_left: attemptsLeft } = refusal.context ?? {};
  const details = await orderRepo(link.ctx).get(link.details.order.id);
  const isWrong = rule === "AUTHORIZATION_FAILED" && attemptsLeft !== 0;
  return respondWithPage(
    c,
    { ...link, details },
    {
      status: statusOf(refusal),
      ...(isWrong
        ? { valueError: `That is not right. Tries left: ${attemptsLeft}.` }
        : {
            error:
              rule === "AUTHORIZATION_FAILED"
                ? "The value was wrong three times. Pay again, or choose another way to pay."
                : refusal.message,
          }),
    },
  );
}

type PageOptions = Readonly<{
  submitted?: SubmittedPayment;
  error?: string;
  valueError?: string;
  isLeaving?: boolean;
  status?: ContentfulStatusCode;
}>;

/** The payment methods that the business takes and the order's delivery allows. */
const methodsFor = ({ ctx, details }: OpenedLink): readonly PaymentMethod[] => {
  const { delivery } = details.order;
  return payableMethods(ctx.business, ctx.providers, ctx.business.currency).filter(
    (method) => !delivery || allowsPayment(delivery, method),
  );
};

function formStateOf(
  link: OpenedLink,
  { submitted, error, valueError }: PageOptions,
): PaymentFormState {
  const [firstMethod = ""] = methodsFor(link).filter((method) => method !== "cash");
  const { method } = link.details.payment;
  const usual = method === "cash" ? firstMethod : method;
  return {
    key: submitted?.key ?? crypto.randomUUID(),
    values: submitted?.values ?? { payment_method: usual, phone_number: "", provider: "" },
    isSubmitted: submitted !== undefined,
    fieldErrors:
      submitted?.type === "invalid"
        ? submitted.errors
        : new Map(valueError === undefined ? [] : [["value", valueError]]),
    error: error ?? null,
  };
}

async function respondWithPage(
  c: RequestContext,
  link: OpenedLink,
  options: PageOptions,
): Promise<Response> {
  const { ctx, details, path } = link;
  const state = stateOf(link);
  const page = paymentPage({
    path,
    businessName: ctx.business.name,
    details,
    state,
    methods: methodsFor(link),
    form: formStateOf(link, options),
    isLeaving: options.isLeaving ?? false,
  });
  return respondWithHtml(c, page, options.status ?? (state.type === "expired" ? 410 : 200));
}

const respondWithMessage = (
  c: RequestContext,
  status: ContentfulStatusCode,
  message: Parameters<typeof paymentMessagePage>[0],
): Promise<Response> => respondWithHtml(c, paymentMessagePage(message), status);

async function respondWithHtml(
  c: RequestContext,
  page: ReturnType<typeof paymentPage>,
  status: ContentfulStatusCode,
): Promise<Response> {
  return c.body(String(await page), status, {
    ...(await pageHeaders({ style: paymentStyle })),
    "Content-Type": "text/html; charset=UTF-8",
  });
}

const redirect = (c: RequestContext, path: string): Response =>
  c.body(null, 303, { Location: path });

function requireRefusal(error: unknown): Refusal {
  const refusal = findRefusal(error);
  if (refusal === null) throw error;
  return refusal;
}
