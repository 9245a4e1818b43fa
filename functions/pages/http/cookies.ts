import { getCookie, setCookie } from "hono/cookie";
import type { PageContext } from "../env.ts";

const day = 24 * 60 * 60;
/** As long as the token of a shopper's session. */
const sessionSeconds = 30 * day;
/** Browsers keep no cookie longer. */
const visitSeconds = 400 * day;
/** How many guest orders a browser can open without their links. A cookie has at most 4 KiB. */
const maxOrders = 5;

/** Lax: the cookie comes back with the shopper from a payment provider, and with no foreign form. */
const attributes = {
  path: "/",
  httpOnly: true,
  secure: true,
  sameSite: "Lax",
} as const;

/** Each shop has a cookie of its own, so that a visit to another shop of the host loses no cart. */
const sessionCookie = (businessId: string) => `__Host-shop-${businessId.slice("biz_".length)}`;

/** The shopper's session as the SDK stores it; null before the first cart and after a logout. */
export const readSessionText = (c: PageContext, businessId: string): string | null =>
  getCookie(c, sessionCookie(businessId)) || null;

/** Forgets the session with the tokens of its orders, which the next person may not open. */
export function clearSessionText(c: PageContext, businessId: string): void {
  for (const name of [sessionCookie, ownSessionCookie, buyerCookie])
    setCookie(c, name(businessId), "", { ...attributes, maxAge: 0 });
}

/** Keeps the session's text: its token, and the tokens of the latest orders. */
export function writeSessionText(c: PageContext, businessId: string, text: string): void {
  const [token = "", ...orders] = text.split(" ");
  const kept = [token, ...orders.slice(-maxOrders)].join(" ");
  setCookie(c, sessionCookie(businessId), kept, { ...attributes, maxAge: sessionSeconds });
}

const visitCookie = "__Host-visit";

/** A random text that only this browser has; null before its first form. */
export const readVisit = (c: PageContext): string | null => {
  const visit = getCookie(c, visitCookie) ?? "";
  return /^[0-9a-f]{32}$/.test(visit) ? visit : null;
};

export function startVisit(c: PageContext): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const visit = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  setCookie(c, visitCookie, visit, { ...attributes, maxAge: visitSeconds });
  return visit;
}

const ownSessionCookie = (businessId: string) => `__Host-own-${businessId.slice("biz_".length)}`;

/** The token of the browser's own session while it continues one of an agent; null for none. */
export const readOwnSessionToken = (c: PageContext, businessId: string): string | null =>
  getCookie(c, ownSessionCookie(businessId)) || null;

/** Remembers the browser's own session, or forgets it with null. */
export const writeOwnSessionToken = (
  c: PageContext,
  businessId: string,
  token: string | null,
): void =>
  setCookie(c, ownSessionCookie(businessId), token ?? "", {
    ...attributes,
    maxAge: token === null ? 0 : sessionSeconds,
  });

/** What an agent has said of the buyer whose checkout it hands over. */
export type HandedOverBuyer = Readonly<{ name: string; email: string; phone: string }>;

const buyerCookie = (businessId: string) => `__Host-buyer-${businessId.slice("biz_".length)}`;
const maxBuyerFieldLength = 254;

/** The buyer's details of a checkout that was handed over; null for none. */
export function readBuyer(c: PageContext, businessId: string): HandedOverBuyer | null {
  const text = getCookie(c, buyerCookie(businessId));
  if (!text) return null;
  const [name = "", email = "", phone = ""] = new URLSearchParams(text).getAll("d");
  return { name, email, phone };
}

/** Keeps the buyer's details until the checkout expires, or forgets them with null. */
export function writeBuyer(
  c: PageContext,
  businessId: string,
  buyer: Readonly<{ details: HandedOverBuyer; expiresAt: number }> | null,
): void {
  const { name, email, phone } = buyer?.details ?? { name: "", email: "", phone: "" };
  const fields = [name, email, phone].map((field) => ["d", field.slice(0, maxBuyerFieldLength)]);
  const seconds = buyer === null ? 0 : Math.floor((buyer.expiresAt - Date.now()) / 1_000);
  setCookie(c, buyerCookie(businessId), new URLSearchParams(fields).toString(), {
    ...attributes,
    maxAge: Math.max(0, Math.min(seconds, day)),
  });
}
