import { Link, useSearch } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { useListPage } from "../../../api/use-list-page.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { RecordList } from "../../../ui/record-list.tsx";

/** Where the shop sells, keeps stock and receives customers. */
export function LocationsPage() {
  const { api, can } = useShop();
  const search = useSearch({ from: "/$businessId/settings/locations" });
  const query = useListPage({
    key: ["locations", search],
    list: () => api.locations.list({ ...search, limit: 50 }),
  });
  return (
    <Card
      title="Locations"
      isFlush
      actions={
        can("settings:write") && (
          <Link className="button" to="/$businessId/settings/locations/new" from="/$businessId">
            <Icon name="plus" />
            New location
          </Link>
        )
      }
    >
      <RecordList
        label="Locations"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Name",
            cell: ({ id, name }) => (
              <Link
                className="row-link"
                to="/$businessId/settings/locations/$locationId"
                from="/$businessId"
                params={{ locationId: id }}
              >
                {name}
              </Link>
            ),
          },
          {
            name: "Use",
            cell: ({ is_default: isDefault, offers_pickup: offersPickup }) => (
              <div className="row">
                {isDefault && <Badge>Default</Badge>}
                {offersPickup && <Badge>Pickup</Badge>}
              </div>
            ),
          },
          {
            name: "Address",
            isWide: true,
            cell: ({ address }) =>
              [address?.street_address, address?.city].filter(Boolean).join(", "),
          },
        ]}
        empty={<EmptyState icon="home" title="No locations" />}
      />
    </Card>
  );
}
