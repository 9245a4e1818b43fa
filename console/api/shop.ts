import { type Business, createBusiness } from "@duka/sdk/business";
import { createContext, useContext } from "react";
import type { AccessScope, Membership } from "./console-api.ts";

/** The business whose pages are shown: its calls, and what the member may do there. */
export type Shop = Readonly<{
  id: string;
  membership: Membership;
  api: Business;
  /** Whether the member's role has a scope. */
  can: (scope: AccessScope) => boolean;
}>;

export const createShop = (membership: Membership): Shop => ({
  id: membership.business_id,
  membership,
  api: createBusiness({
    baseUrl: window.location.origin,
    businessId: membership.business_id,
    credentials: "cookie",
  }),
  can: (scope) => membership.scopes.includes(scope),
});

export const ShopContext = createContext<Shop | null>(null);

/** The shop of the current page. */
export function useShop(): Shop {
  const shop = useContext(ShopContext);
  if (shop === null) throw new Error("This component must be rendered within a shop's pages.");
  return shop;
}
