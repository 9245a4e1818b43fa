import { Link } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";
import { Card } from "../../ui/card.tsx";
import type { ServiceRecord } from "./service.ts";

/** The services that a person gives, or the way to name the person there. */
export function ServicesOfCard({ staffId, name }: Readonly<{ staffId: string; name: string }>) {
  const { api } = useShop();
  const { data: services } = useAll({
    key: ["services"],
    list: () => api.services.list({ limit: 100 }),
    select: (all: readonly ServiceRecord[]) =>
      all.filter(({ staff }) => staff.some(({ id }) => id === staffId)),
  });
  return (
    <Card title="Services">
      {services?.length === 0 && (
        <p className="muted">
          {name} cannot be booked yet. Open{" "}
          <Link to="/$businessId/services" from="/$businessId">
            a service
          </Link>{" "}
          and choose {name} under Needs.
        </p>
      )}
      <ul className="stack">
        {services?.map((service) => (
          <li key={service.id}>
            <Link
              to="/$businessId/services/$serviceId"
              from="/$businessId"
              params={{ serviceId: service.id }}
            >
              {service.name}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
