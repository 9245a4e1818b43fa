import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { useListPage } from "../../../api/use-list-page.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Select } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import { CountDialog } from "./count-dialog.tsx";
import type { CardProps } from "./product-cards.tsx";

const inventoryTypes = [
  { value: "none", name: "Not counted" },
  { value: "tracked", name: "Counted for the product" },
  { value: "variant_level", name: "Counted for each variant" },
] as const;

type StockCardProps = CardProps & Readonly<{ productId: string | null }>;

/** How a product's stock is counted, and what is there. */
export function StockCard({ form, productId }: StockCardProps) {
  const { can } = useShop();
  const [isCounting, setIsCounting] = useState(false);
  const field = form.field("inventory_type");
  const isCounted = productId !== null && field.value !== "none";
  return (
    <Card
      title="Stock"
      actions={
        isCounted &&
        can("inventory:write") && <Button onClick={() => setIsCounting(true)}>Set stock</Button>
      }
    >
      <div className="stack">
        <Select label="How it is counted" options={inventoryTypes} {...field} />
        {isCounted && can("inventory:read") && <StockLevels form={form} productId={productId} />}
      </div>
      {isCounting && isCounted && (
        <CountDialog
          productId={productId}
          variants={field.value === "variant_level" ? form.values.variants : null}
          onClose={() => setIsCounting(false)}
        />
      )}
    </Card>
  );
}

const shownLevels = 10;

function StockLevels({ form, productId }: CardProps & Readonly<{ productId: string }>) {
  const { api, membership } = useShop();
  const format = useFormat();
  const query = useListPage({
    key: ["inventory", "of-product", productId],
    list: () => api.inventory.listStockLevels({ product_id: productId, limit: shownLevels }),
  });
  const nameOf = (locationId: string, variantId: string | null) => {
    const location = membership.locations.find((one) => one.id === locationId)?.name ?? "Archived";
    const variant = form.values.variants.find((one) => one.id === variantId && variantId !== null);
    return variant ? `${variant.name}, ${location}` : location;
  };
  return (
    <Loaded query={query}>
      {({ items, hasMore }) => (
        <>
          {items.length === 0 && <p className="muted">Nothing was counted yet.</p>}
          {items.length > 0 && (
            <ul className="entries">
              {items.map((level) => (
                <li key={`${level.variant_id} ${level.location_id}`} className="row apart">
                  <Link
                    to="/$businessId/stock/$productId/$locationId"
                    from="/$businessId"
                    params={{ productId, locationId: level.location_id }}
                    search={{ variant_id: level.variant_id ?? undefined }}
                  >
                    {nameOf(level.location_id, level.variant_id)}
                  </Link>
                  <span className="row">
                    {level.low_stock && <Badge tone="warning">Low</Badge>}
                    {format.number(level.quantity_available)} available
                  </span>
                </li>
              ))}
            </ul>
          )}
          {hasMore && <p className="small muted">There are more in the list of all stock.</p>}
          <Link to="/$businessId/stock" from="/$businessId">
            Show all stock
          </Link>
        </>
      )}
    </Loaded>
  );
}
