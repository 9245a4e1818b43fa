import { type StorefrontSchemas, UnauthorizedError } from "../../../sdk/src/storefront.ts";
import type { VisitedShop } from "../shop/open-shop.ts";

export type ShownCustomer = StorefrontSchemas["Customer"];

/** The parts of an account, as their addresses name them. */
export const sections = {
  orders: { name: "Orders", path: "" },
  bookings: { name: "Bookings", path: "/bookings" },
  subscriptions: { name: "Subscriptions", path: "/subscriptions" },
  profile: { name: "Profile", path: "/profile" },
} as const;

export type SectionName = keyof typeof sections;

export const isSection = (text: string): text is SectionName => Object.hasOwn(sections, text);

export const sectionPath = ({ path }: Pick<VisitedShop, "path">, name: SectionName): string =>
  `${path}/account${sections[name].path}`;

/** The other pages to which a login leads back. */
const otherPages = /^(?:checkout|services\/[\w.~%-]{1,250})$/;

/** The page that a login leads to: a section of the account, or another page of the shop. */
export function pathAfterLogin(shop: Pick<VisitedShop, "path">, next: string): string {
  if (isSection(next)) return sectionPath(shop, next);
  return otherPages.test(next) ? `${shop.path}/${next}` : sectionPath(shop, "orders");
}

/** The form that logs in, and then leads to a page. */
export const logInPath = (shop: Pick<VisitedShop, "path">, next: string): string =>
  next === "orders"
    ? sectionPath(shop, next)
    : `${sectionPath(shop, "orders")}?${new URLSearchParams({ next })}`;

export type Account<T> = Readonly<{ customer: ShownCustomer; content: T }>;

/** The customer who is logged in, with what a page shows of the account; null for nobody. */
export async function loadAccount<T>(
  shop: VisitedShop,
  loadContent: () => Promise<T>,
): Promise<Account<T> | null> {
  if (!shop.hasSession()) return null;
  try {
    const [{ data: status }, content] = await Promise.all([
      shop.api.auth.getStatus(),
      loadContent(),
    ]);
    return status.customer && { customer: status.customer, content };
  } catch (error) {
    if (error instanceof UnauthorizedError) return null;
    throw error;
  }
}
