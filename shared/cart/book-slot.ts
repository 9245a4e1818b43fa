import { commit } from "../database/index.ts";
import { invalid, minute, Refusal, sha256 } from "../kernel/index.ts";
import type { AskedConfiguration, LineSlot, ProductSet } from "../pricing/index.ts";
import {
  type Bookable,
  heldUntilNow,
  holdRepo,
  isSlotUnavailable,
  type Place,
  placeTaken,
  type SlotOffer,
  type SoughtServices,
  slotInvalid,
  slotOffer,
  slotUnavailable,
  wantedPlace,
} from "../scheduling/index.ts";
import { type Cart, type CartLine, identityOf } from "./cart.ts";
import type { CartContext } from "./context.ts";

/** The times of an add as they are asked for (interface.md, POST /cart/items). */
export type AskedSlot = Readonly<{
  start: number | null;
  /** Null: when the service is over. */
  end: number | null;
  /** Null: whoever is free. */
  staffId: string | null;
}>;

/** What an add wants to book. */
export type AskedBooking = Readonly<{ bookable: Bookable; start: number; asked: AskedSlot }>;

/**
 * What an add wants to book; null for what is no service.
 *
 * @throws Refusal VALIDATION_ERROR for times of what is no service, SLOT_INVALID for a service without
 * a start or with a billing plan, SLOT_UNAVAILABLE for one that nobody made bookable.
 */
export async function askedBooking(
  { productId, billingPlanId }: Pick<AskedConfiguration, "productId" | "billingPlanId">,
  asked: AskedSlot | null,
  { products, services }: { products: ProductSet; services: SoughtServices },
): Promise<AskedBooking | null> {
  const product = products.get(productId);
  if (!product?.isActive) return null; // its price says that it is not there
  if (product.productType !== "service") {
    if (asked) throw invalid("scheduled_start", "only services are booked for a time.");
    return null;
  }
  if (billingPlanId !== null) {
    throw slotInvalid("A time is booked once; leave billing_plan_id out to pay for it once.");
  }
  if (asked === null || asked.start === null) throw slotInvalid("A service needs scheduled_start.");
  const bookable = (await services.find(products)).get(productId);
  if (!bookable) throw slotUnavailable("OUTSIDE_HOURS");
  return { bookable, start: asked.start, asked };
}

/** Where it is given. @throws Refusal as `slotOffer`. */
export const locationOfBooking = (
  { business }: CartContext,
  { bookable, asked: { staffId } }: AskedBooking,
  locationId: string | null,
): string => slotOffer(bookable, { variantId: null, locationId, staffId }, business).location.id;

/** The line's times, by how long its variant lasts. @throws Refusal SLOT_INVALID when it was asked to end otherwise. */
export function slotOfLine(
  { business }: CartContext,
  { bookable, start, asked }: AskedBooking,
  { variantId, locationId }: Pick<AskedConfiguration, "variantId" | "locationId">,
): LineSlot {
  const { staffId } = asked;
  const { durationMinutes } = slotOffer(bookable, { variantId, locationId, staffId }, business);
  const end = start + durationMinutes * minute;
  if (asked.end !== null && asked.end !== end) {
    throw slotInvalid(`This service lasts ${durationMinutes} minutes.`);
  }
  return { start, end, staffId };
}

/**
 * The place that a line takes, as things stand: its service may have changed since it was added.
 *
 * @param mayBeHeld whether the line may have been holding it until now.
 * @throws Refusal SLOT_UNAVAILABLE, also when the times are no longer those of a slot.
 */
export function placeOfLine(
  ctx: Pick<CartContext, "business" | "now">,
  { configuration: { slot, locationId }, snapshot: { variantId }, quantity }: CartLine,
  { bookable, mayBeHeld }: Readonly<{ bookable: Bookable | undefined; mayBeHeld: boolean }>,
): Place {
  if (!slot || !bookable) throw slotUnavailable("OUTSIDE_HOURS");
  const { start, end, staffId } = slot;
  const offer = standingOffer(bookable, { variantId, locationId, staffId }, ctx.business);
  const place = wantedPlace(mayBeHeld ? heldUntilNow(offer) : offer, {
    start,
    participants: quantity,
    now: ctx.now(),
  });
  if (place.endsAt !== end) throw slotUnavailable("OUTSIDE_HOURS");
  return place;
}

/** What was there when the line was added, and may be gone by now. */
function standingOffer(...[bookable, wanted, business]: Parameters<typeof slotOffer>): SlotOffer {
  const { staffId } = wanted;
  const isThere = staffId === null || bookable.staff.some(({ id }) => id === staffId);
  if (!isThere) throw slotUnavailable("STAFF_UNAVAILABLE");
  try {
    return slotOffer(bookable, wanted, business);
  } catch (error) {
    throw error instanceof Refusal ? slotUnavailable("OUTSIDE_HOURS") : error;
  }
}

/**
 * Holds the place of a line for ten minutes from now; whether it is free is for the database to say,
 * in the same statement. An add that is repeated, its first answer lost, meets its own hold; an order
 * of the shopper's own that was not paid gives way to it.
 *
 * @throws Refusal SLOT_UNAVAILABLE; then an earlier hold of the line stands as it stood.
 */
export async function holdPlace(
  ctx: CartContext,
  cart: Cart,
  { line, bookable }: { line: CartLine; bookable: Bookable | undefined },
): Promise<void> {
  const place = placeOfLine(ctx, line, { bookable, mayBeHeld: false });
  const id = await holdIdOf(cart, line);
  const refused = await refusalOfHold(ctx, id, place);
  if (refused === null) return;
  const hasWay = (await ctx.giveWay?.(place)) ?? false;
  const stillRefused = hasWay ? await refusalOfHold(ctx, id, place) : refused;
  if (stillRefused !== null) throw stillRefused;
}

/** Why a place cannot be held; null: it is. */
async function refusalOfHold(ctx: CartContext, id: string, place: Place): Promise<Refusal | null> {
  const sessionId = ctx.actor.type === "session" ? ctx.actor.sessionId : "";
  const hold = holdRepo(ctx).hold(id, { sessionId, place, at: ctx.now() });
  try {
    const [held] = await commit(ctx, { writes: [hold], refusals: placeTaken });
    const isHeld = !Array.isArray(held) || held.length > 0;
    return isHeld ? null : slotUnavailable("STAFF_UNAVAILABLE");
  } catch (error) {
    if (isSlotUnavailable(error)) return error;
    throw error;
  }
}

/** Gives some of a line's places back, which no rule can be against. */
export async function lowerHold(ctx: CartContext, cart: Cart, line: CartLine): Promise<void> {
  const id = await holdIdOf(cart, line);
  const lowered = { participants: line.quantity, now: ctx.now() };
  await unlessDown(commit(ctx, { writes: [holdRepo(ctx).lower(id, lowered)] }));
}

/** Gives the places of lines back that leave the cart. */
export async function releaseHolds(
  ctx: CartContext,
  cart: Cart,
  lines: readonly CartLine[],
): Promise<void> {
  const booked = lines.filter(({ configuration }) => configuration.slot);
  if (booked.length === 0) return;
  const ids = await Promise.all(booked.map((line) => holdIdOf(cart, line)));
  await unlessDown(commit(ctx, { writes: [holdRepo(ctx).release(ids)] }));
}

/** A hold that could not be given back now ends by itself: nobody has to wait for the database. */
async function unlessDown(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** The same for the same line of the same cart, also when an add that nobody remembers is made again. */
export const holdIdOf = (
  { id }: Pick<Cart, "id">,
  { configuration, snapshot }: Pick<CartLine, "configuration" | "snapshot">,
): Promise<string> =>
  sha256(JSON.stringify([id, identityOf(configuration), snapshot.lock?.quoteId ?? null]));
