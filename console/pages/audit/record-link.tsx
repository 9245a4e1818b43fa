import { Link } from "@tanstack/react-router";

/** The pages of records by the beginning of their ids. */
const pages = [
  { prefix: "ord_", to: "/$businessId/orders/$orderId", param: "orderId" },
  { prefix: "cus_", to: "/$businessId/customers/$customerId", param: "customerId" },
  { prefix: "thr_", to: "/$businessId/inbox/$threadId", param: "threadId" },
  { prefix: "whk_", to: "/$businessId/webhooks/$webhookId", param: "webhookId" },
  { prefix: "loc_", to: "/$businessId/settings/locations/$locationId", param: "locationId" },
] as const;

/** A record's id, which leads to the record's page when there is one. */
export function RecordLink({ id }: Readonly<{ id: string }>) {
  const page = pages.find(({ prefix }) => id.startsWith(prefix));
  if (page === undefined) return id;
  return (
    <Link to={page.to} from="/$businessId" params={(before) => ({ ...before, [page.param]: id })}>
      {id}
    </Link>
  );
}
