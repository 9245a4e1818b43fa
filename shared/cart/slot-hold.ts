import { unpaidLimitsOf } from "../businesses/index.ts";
import { commit } from "../database/index.ts";
import { invalid, minute, Refusal, ruleViolation, sha256 } from "../kernel/index.ts";
import type { LineConfigurationInput, LineSlot, ProductSet } from "../pricing/index.ts";
import {
  type BookableService,
  holdLimitRefusals,
  isSlotUnavailable,
  requireSlotAllocation,
  type ServicePrefetch,
  type SlotAllocation,
  type SlotOffer,
  slotConflictRefusals,
  slotHoldRepo,
  slotHoldTtlMs,
  slotInvalid,
  slotOfferFor,
  slotUnavailable,
} from "../scheduling/index.ts";
import { type Cart, type CartLine, configurationKey, withHold } from "./cart.ts";
import type { CartContext } from "./context.ts";

/** The times that an added item requests. */
export type SlotRequest = Readonly<{
  start: number | null;
  /** When null, the slot ends when the service ends. */
  end: number | null;
  /** When null, any free staff member is accepted. */
  staffId: string | null;
}>;

/** The slot that an added service requests. */
export type RequestedBooking = Readonly<{
  bookable: BookableService;
  start: number;
  slot: SlotRequest;
}>;

/**
 * The booking that an added item requests; null for products that are not services.
 *
 * @throws Refusal VALIDATION_ERROR for times on another product type, SLOT_INVALID for a service
 * without a start or with a billing plan, SLOT_UNAVAILABLE for a service without bookable hours.
 */
export async function findRequestedBooking(
  products: ProductSet,
  { productId, billingPlanId }: Pick<LineConfigurationInput, "productId" | "billingPlanId">,
  request: Readonly<{ slot: SlotRequest; services: ServicePrefetch }> | null,
): Promise<RequestedBooking | null> {
  const product = products.get(productId);
  if (!product?.isActive) return null; // the caller reports NOT_FOUND when it prices the line
  if (product.productType !== "service") {
    if (request) throw invalid("scheduled_start", "is only allowed for services.");
    return null;
  }
  if (billingPlanId !== null) {
    throw slotInvalid("A slot cannot be bought with a billing plan. Leave billing_plan_id out.");
  }
  const start = request?.slot.start ?? null;
  if (request === null || start === null) throw slotInvalid("A service needs scheduled_start.");
  const bookable = (await request.services.find(products)).get(productId);
  if (!bookable) throw slotUnavailable("OUTSIDE_HOURS");
  return { bookable, start, slot: request.slot };
}

/**
 * The slot of a line. The duration of its variant determines the end of the slot.
 * @throws Refusal SLOT_INVALID when the request names another end.
 */
export function requireLineSlot(
  { business }: CartContext,
  { bookable, start, slot }: RequestedBooking,
  { variantId, locationId }: Pick<LineConfigurationInput, "variantId" | "locationId">,
): LineSlot {
  const { staffId } = slot;
  const { durationMinutes } = slotOfferFor(bookable, { variantId, locationId, staffId }, business);
  const end = start + durationMinutes * minute;
  if (slot.end !== null && slot.end !== end) {
    throw slotInvalid(`This service lasts ${durationMinutes} minutes.`);
  }
  return { start, end, staffId };
}

/**
 * The slot that a line needs now. The terms of its service may have changed since the line was
 * added.
 *
 * @param limits the offer with the notice and the booking window that the caller has to keep.
 * @throws Refusal SLOT_UNAVAILABLE, also when the times no longer match a slot.
 */
export function lineSlotAllocation(
  ctx: Pick<CartContext, "business" | "now">,
  { configuration: { slot, locationId }, snapshot: { variantId }, quantity }: CartLine,
  {
    bookable,
    limits,
  }: Readonly<{
    bookable: BookableService | undefined;
    limits: (offer: SlotOffer) => SlotOffer;
  }>,
): SlotAllocation {
  if (!slot || !bookable) throw slotUnavailable("OUTSIDE_HOURS");
  const { start, end, staffId } = slot;
  const offer = requireCurrentOffer(bookable, { variantId, locationId, staffId }, ctx.business);
  const allocation = requireSlotAllocation(limits(offer), {
    start,
    participants: quantity,
    now: ctx.now(),
  });
  if (allocation.endsAt !== end) throw slotUnavailable("OUTSIDE_HOURS");
  return allocation;
}

/**
 * The offer of the line's slot by the current terms of the service.
 * @throws Refusal SLOT_UNAVAILABLE when the offer no longer exists.
 */
function requireCurrentOffer(
  ...[bookable, selection, business]: Parameters<typeof slotOfferFor>
): SlotOffer {
  const { staffId } = selection;
  const isBookable = staffId === null || bookable.staff.some(({ id }) => id === staffId);
  if (!isBookable) throw slotUnavailable("STAFF_UNAVAILABLE");
  try {
    return slotOfferFor(bookable, selection, business);
  } catch (error) {
    throw error instanceof Refusal ? slotUnavailable("OUTSIDE_HOURS") : error;
  }
}

/**
 * Holds a line's slot for ten minutes, and returns the cart that says so. One statement checks and
 * takes the slot. Adding the same item again uses the same hold. Conflicting unpaid orders of the
 * same session are cancelled.
 *
 * @throws Refusal SLOT_UNAVAILABLE, TOO_MANY_HOLDS, and as `assertMayBook`; an earlier hold of the
 *   line then remains.
 */
export async function holdSlot(
  ctx: CartContext,
  cart: Cart,
  { line, bookable }: { line: CartLine; bookable: BookableService | undefined },
): Promise<Cart> {
  assertMayBook(ctx, bookable);
  const allocation = lineSlotAllocation(ctx, line, { bookable, limits: (offer) => offer });
  const id = await computeHoldId(cart, line);
  const at = ctx.now();
  const request = { id, allocation, at };
  const refusal = await tryHold(ctx, request);
  if (refusal !== null) {
    const wasReleased = (await ctx.releaseConflictingOrders?.(allocation)) ?? false;
    const finalRefusal = wasReleased ? await tryHold(ctx, request) : refusal;
    if (finalRefusal !== null) throw finalRefusal;
  }
  return withHold(cart, line.id, at + slotHoldTtlMs);
}

/**
 * Asserts that the caller may book the service. Every login proves a contact, and the business
 * decides for itself.
 *
 * @throws Refusal CUSTOMER_REQUIRED for a guest, when the service asks for a verified contact.
 */
export function assertMayBook(
  { actor }: Pick<CartContext, "actor">,
  bookable: BookableService | undefined,
): void {
  const isLoggedIn = actor.type === "session" && actor.customerId !== null;
  const isKnown = isLoggedIn || actor.type === "merchant";
  if (!bookable?.service.requiresVerifiedContact || isKnown) return;
  throw ruleViolation(
    "CUSTOMER_REQUIRED",
    "This service is booked with a verified contact. Log in with a one-time code and try again.",
  );
}

/** Tries to hold the slot. Returns null when the slot is held, otherwise the refusal. */
async function tryHold(
  ctx: CartContext,
  { id, allocation, at }: Readonly<{ id: string; allocation: SlotAllocation; at: number }>,
): Promise<Refusal | null> {
  const sessionId = ctx.actor.type === "session" ? ctx.actor.sessionId : "";
  const limits = unpaidLimitsOf(ctx.business);
  const hold = slotHoldRepo(ctx).hold(id, {
    sessionId,
    addressDigest: await ctx.digestCallerAddress(),
    allocation,
    at,
    limits,
  });
  const refusals = { ...slotConflictRefusals, ...holdLimitRefusals(limits) };
  try {
    const [heldRow] = await commit(ctx, { writes: [hold], refusals });
    const isHeld = !Array.isArray(heldRow) || heldRow.length > 0;
    return isHeld ? null : slotUnavailable("STAFF_UNAVAILABLE");
  } catch (error) {
    if (isSlotUnavailable(error)) return error;
    throw error;
  }
}

/** Lowers the held quantity of a line. */
export async function reduceHold(ctx: CartContext, cart: Cart, line: CartLine): Promise<void> {
  const id = await computeHoldId(cart, line);
  const reduction = { participants: line.quantity, now: ctx.now() };
  await ignoreRefusal(
    commit(ctx, { writes: [slotHoldRepo(ctx).lowerParticipants(id, reduction)] }),
  );
}

/** Releases the slots of lines that leave the cart. */
export async function releaseHolds(
  ctx: CartContext,
  cart: Cart,
  lines: readonly CartLine[],
): Promise<void> {
  const booked = lines.filter(({ configuration }) => configuration.slot);
  if (booked.length === 0) return;
  const ids = await Promise.all(booked.map((line) => computeHoldId(cart, line)));
  await ignoreRefusal(commit(ctx, { writes: [slotHoldRepo(ctx).release(ids)] }));
}

/** Ignores a refusal, because a hold that cannot be released now expires after ten minutes. */
async function ignoreRefusal(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * The id of the hold on the slot of a cart line. The id is derived from what the shopper chose, so
 * adding the same item with the same choices again uses the same hold.
 */
export const computeHoldId = (
  { id }: Pick<Cart, "id">,
  { configuration, snapshot }: Pick<CartLine, "configuration" | "snapshot">,
): Promise<string> =>
  sha256(JSON.stringify([id, configurationKey(configuration), snapshot.lock?.quoteId ?? null]));
