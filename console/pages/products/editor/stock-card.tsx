import { useShop } from "../../../api/shop.ts";
import { useListPage } from "../../../api/use-list-page.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Select } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import type { CardProps } from "./product-cards.tsx";

const inventoryTypes = [
  { value: "none", name: "Not counted" },
  { value: "tracked", name: "Counted for the product" },
  { value: "variant_level", name: "Counted for each variant" },
] as const;

const shownLevels = 10;

/** How a product's stock is counted, and what is there. */
export function StockCard({ form, productId }: CardProps & Readonly<{ productId: string | null }>) {
  const { can } = useShop();
  const field = form.field("inventory_type");
  const isShown = productId !== null && field.value !== "none" && can("inventory:read");
  return (
    <Card title="Stock">
      <div className="stack">
        <Select label="Stock" options={inventoryTypes} {...field} />
        {isShown && <StockLevels productId={productId} />}
      </div>
    </Card>
  );
}

function StockLevels({ productId }: Readonly<{ productId: string }>) {
  const { id, api, membership } = useShop();
  const format = useFormat();
  const query = useListPage({
    key: ["inventory", "of-product", productId],
    list: () => api.inventory.listStockLevels({ product_id: productId, limit: shownLevels }),
  });
  const locationName = (locationId: string) =>
    membership.locations.find((location) => location.id === locationId)?.name ?? "A location";
  return (
    <Loaded query={query}>
      {({ items, hasMore }) => (
        <>
          {items.length === 0 && <p className="muted">Nothing was counted yet.</p>}
          {items.length > 0 && (
            <ul className="entries">
              {items.map((level) => (
                <li key={`${level.variant_id} ${level.location_id}`} className="row apart">
                  <span>{locationName(level.location_id)}</span>
                  <span className="row">
                    {level.low_stock && <Badge tone="warning">Low</Badge>}
                    {format.number(level.quantity_available)} available
                  </span>
                </li>
              ))}
            </ul>
          )}
          <a href={`/console/${id}/stock?product_id=${productId}`}>
            {hasMore ? "Show and change all stock" : "Change the stock"}
          </a>
        </>
      )}
    </Loaded>
  );
}
