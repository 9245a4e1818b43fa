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

/** The form that logs in, and then shows the section. */
export const logInPath = (shop: Pick<VisitedShop, "path">, name: SectionName): string =>
  name === "orders" ? sectionPath(shop, name) : `${sectionPath(shop, "orders")}?next=${name}`;

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
