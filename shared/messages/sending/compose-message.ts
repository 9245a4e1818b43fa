import { day } from "../../kernel/index.ts";
import type { Attachment } from "../../messaging/index.ts";
import { isPayable } from "../../orders/index.ts";
import { isActiveBooking } from "../../scheduling/index.ts";
import { nextChargeAt, renewalAmountMinor, type Subscription } from "../../subscriptions/index.ts";
import type { QueuedMessage, SkipReason } from "../message.ts";
import { bookingValues } from "../rendering/booking-values.ts";
import { calendarFile } from "../rendering/calendar-file.ts";
import { type Formats, formatsFor } from "../rendering/format.ts";
import { orderValues, shipmentValues } from "../rendering/order-values.ts";
import { withoutLinks } from "../rendering/plain-text.ts";
import { codeValues, invitationValues, shortName } from "../rendering/sealed-values.ts";
import type { VariableValue, VariableValues } from "../rendering/values.ts";
import { supportReplyDelayMs } from "../settings.ts";
import type { SendingContext } from "./context.ts";
import type { AnswerFacts, EventFacts, MessageFacts } from "./message-facts-query.ts";

/** What a message shows, or why it is not sent any more. */
export type Composition =
  | Readonly<{ type: "values"; values: VariableValues; attachments: readonly Attachment[] }>
  | Readonly<{ type: "skip"; reason: SkipReason }>;

type ComposingContext = Pick<
  SendingContext,
  "business" | "links" | "now" | "isShopperAway" | "senderEmail" | "unsealValues"
>;

const skip = (reason: SkipReason): Composition => ({ type: "skip", reason });
const withValues = (
  values: VariableValues,
  attachments: readonly Attachment[] = [],
): Composition => ({ type: "values", values, attachments });

/** How long the link of a message to pay again works for an order that is not cancelled unpaid. */
const paymentLinkTtlMs = 7 * day;

/** Decides what a message shows from what is stored now. */
export async function composeMessage(
  ctx: ComposingContext,
  message: QueuedMessage,
  facts: MessageFacts,
): Promise<Composition> {
  const formats = formatsFor(facts.settings.locale);
  const business_name = ctx.business.name;
  const composition = facts.order
    ? await composeForOrder(ctx, message, { ...facts, order: facts.order, formats })
    : facts.subscription
      ? await composeForSubscription(ctx, message, facts, formats)
      : facts.answer
        ? await composeAnswer(ctx, message, facts.answer, facts.event?.createdAt)
        : message.name === "provider.invalid"
          ? composeForProvider(ctx, message)
          : await composeSealed(ctx, message);
  return composition.type === "skip"
    ? composition
    : { ...composition, values: { business_name, ...composition.values } };
}

type OrderFacts = MessageFacts &
  Readonly<{ order: NonNullable<MessageFacts["order"]>; formats: Formats }>;

async function composeForOrder(
  ctx: ComposingContext,
  message: QueuedMessage,
  { order: details, subscription, event, formats, settings }: OrderFacts,
): Promise<Composition> {
  const { order } = details;
  // The contacts of an order whose customer was erased are gone.
  if (order.customerEmail === null && order.customerPhone === null) return skip("erased");
  const { business } = ctx;
  const link = { businessId: business.id, orderId: order.id, sentAt: message.createdAt };
  const orderUrl = await ctx.links.order(link);
  const values = {
    ...orderValues({ details, business, formats, orderUrl }),
    ...(await paymentUrl(ctx, details)),
  };
  switch (message.name) {
    case "booking.confirmation":
    case "booking.moved":
    case "booking.cancelled":
    case "booking.reminder":
      return composeForBooking(ctx, message, { details, event, formats, settings, values });
    case "shipment.shipped":
    case "shipment.delivered":
      return withValues({ ...values, ...shipmentValues(details, message.subjectId) });
    case "refund.issued":
      return withValues({ ...values, refund_amount: refundAmount(event, formats) });
    case "payment.failed":
      return isPayable(details) ? withValues(values) : skip("outdated");
    case "subscription.renewal_failed":
    case "subscription.ending":
      return composeForSubscription(ctx, message, { order: details, subscription }, formats);
    default:
      return withValues(values);
  }
}

/** The link to pay for an order that is not paid; none for an order that nobody can pay online. */
async function paymentUrl(
  { business, links, now }: ComposingContext,
  { order, payment, ...details }: NonNullable<MessageFacts["order"]>,
): Promise<VariableValues> {
  if (!isPayable({ order, payment, ...details })) return {};
  const expiresAt = order.expiresAt ?? order.createdAt + paymentLinkTtlMs;
  if (expiresAt <= now()) return {};
  const url = await links.payment({ businessId: business.id, orderId: order.id, expiresAt });
  return { payment_url: url === null ? null : { type: "link", label: "Pay now", url } };
}

function refundAmount(event: EventFacts | null, formats: Formats): string | null {
  const { refund_amount: amount, currency } = event?.data ?? {};
  if (typeof amount !== "string" || typeof currency !== "string") return null;
  return formats.amount(amount, currency);
}

type BookingFacts = Readonly<{
  details: NonNullable<MessageFacts["order"]>;
  event: EventFacts | null;
  formats: Formats;
  settings: MessageFacts["settings"];
  values: VariableValues;
}>;

/** A reminder of a booking that was moved or cancelled, or has begun, is not sent. */
function composeForBooking(
  { business, now, senderEmail }: ComposingContext,
  { name, subjectId, createdAt }: QueuedMessage,
  { details, event, formats, settings, values }: BookingFacts,
): Composition {
  const booking = details.bookings.find(({ id }) => id === subjectId);
  if (!booking) return skip("outdated");
  const announced = Date.parse(String(event?.data.start_time));
  const isOutdated =
    booking.startTime <= now() || booking.startTime !== announced || !isActiveBooking(booking);
  if (name === "booking.reminder" && isOutdated) return skip("outdated");
  const ownValues = bookingValues({ booking, business, formats });
  const place = [ownValues.location_name, ownValues.location_address].filter(Boolean).join(", ");
  const file = calendarFile({
    booking,
    businessName: business.name,
    organizerEmail: settings.replyTo ?? senderEmail,
    place: place === "" ? null : place,
    stampedAt: createdAt, // not the time of the attempt, so that every attempt sends the same
  });
  return withValues({ ...values, ...ownValues }, [file]);
}

async function composeForSubscription(
  ctx: ComposingContext,
  { name }: QueuedMessage,
  { subscription: invoiced, order }: Pick<MessageFacts, "subscription" | "order">,
  formats: Formats,
): Promise<Composition> {
  if (!invoiced) return skip("outdated");
  const { subscription } = invoiced;
  const isCurrent =
    name === "subscription.ending"
      ? subscription.endsAt !== null && subscription.status !== "cancelled"
      : subscription.failedAt !== null;
  if (!isCurrent) return skip("outdated");
  return withValues({
    ...subscriptionValues(subscription, ctx.business.timezone, formats),
    customer_name: withoutLinks(order?.order.customerName ?? null),
  });
}

function subscriptionValues(
  subscription: Subscription,
  timezone: string,
  formats: Formats,
): VariableValues {
  const retryAt = nextChargeAt(subscription);
  const { currency, endsAt } = subscription;
  const items: VariableValue = {
    type: "block",
    rows: subscription.items.map(({ quantity, productName, variantName, unitPriceMinor }) => ({
      label: [`${quantity} × ${productName}`, variantName].filter(Boolean).join(", "),
      amount: formats.money(unitPriceMinor * quantity, currency),
    })),
  };
  return {
    plan_name: subscription.plan.name,
    subscription_items: items,
    subscription_amount: formats.money(renewalAmountMinor(subscription), currency),
    reason: subscription.failureReason,
    retry_date: retryAt === null ? null : formats.date(retryAt, timezone),
    end_date: endsAt === null ? null : formats.date(endsAt, timezone),
  };
}

/**
 * Shows every answer since the shopper's last message. Of answers that follow each other within the
 * delay, only the first one's message goes out, because it is sent after the last was posted.
 */
async function composeAnswer(
  ctx: ComposingContext,
  { subjectId, createdAt }: QueuedMessage,
  { customerName, customerEmail, posts, lastSentAt }: AnswerFacts,
  postedAt: number = createdAt,
): Promise<Composition> {
  if (customerEmail === null) return skip("erased");
  if (posts.some(({ isShopper }) => isShopper)) return skip("read");
  const answers = posts.flatMap(({ content }) => (content === null ? [] : [content]));
  if (answers.length === 0) return skip("erased");
  const latestAt = Math.max(postedAt, ...posts.map(({ at }) => at));
  if (!(await ctx.isShopperAway(subjectId, latestAt))) return skip("read");
  const since = Math.max(postedAt - supportReplyDelayMs, lastSentAt ?? 0);
  const isFollowUp = posts.some(({ at }) => at > since && at < postedAt);
  if (isFollowUp || (lastSentAt !== null && lastSentAt >= postedAt)) return skip("repeated");
  const url = ctx.links.support(ctx.business);
  return withValues({
    customer_name: withoutLinks(customerName),
    message: { type: "quote", text: answers.join("\n\n") },
    chat_url: url === null ? null : { type: "link", label: "Open the chat", url },
  });
}

/** A code or an invitation. It is dropped when the deployment's secret has changed meanwhile. */
async function composeSealed(
  { business, unsealValues }: ComposingContext,
  { name, sealedValues }: QueuedMessage,
): Promise<Composition> {
  const values = sealedValues === null ? null : await unsealValues(sealedValues);
  if (values === null) return skip("outdated");
  const ownValues = name === "one_time_code" ? codeValues(values) : invitationValues(values);
  return withValues({ ...ownValues, business_name: shortName(business.name) });
}

/** `subjectId` is the provider, whose account may have been connected again meanwhile. */
function composeForProvider(
  { business, links }: ComposingContext,
  { subjectId, createdAt }: QueuedMessage,
): Composition {
  const provider = subjectId.charAt(0).toUpperCase() + subjectId.slice(1);
  const account = business.providerAccounts.find((one) => one.provider === subjectId);
  if (!account || account.status === "disabled" || account.connectedAt > createdAt)
    return skip("outdated");
  const url = links.console(`/${business.id}/settings/payments`);
  return withValues({
    provider,
    reason: account.lastError,
    console_url: url === null ? null : { type: "link", label: "Connect the account again", url },
  });
}
