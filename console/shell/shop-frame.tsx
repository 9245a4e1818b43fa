import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { MeContext, useLoadedMe } from "../api/me.ts";
import { createShop, ShopContext } from "../api/shop.ts";
import { createFormat } from "../ui/format.ts";
import { FormatContext } from "../ui/use-format.ts";
import { NotFoundPage } from "./error-page.tsx";
import { ShopLayout } from "./shop-layout.tsx";

/** Gives the pages of a shop its calls, its formats and the member. */
export function ShopFrame() {
  const { businessId } = useParams({ from: "/$businessId" });
  const me = useLoadedMe();
  const membership = me?.memberships.find(({ business_id: id }) => id === businessId);
  const shop = useMemo(() => membership && createShop(membership), [membership]);
  const format = useMemo(() => membership && createFormat(membership), [membership]);
  if (!me || !shop || !format) return <NotFoundPage />;

  return (
    <MeContext value={me}>
      <ShopContext value={shop}>
        <FormatContext value={format}>
          <ShopLayout />
        </FormatContext>
      </ShopContext>
    </MeContext>
  );
}
