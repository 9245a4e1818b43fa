import { z } from "@hono/zod-openapi";
import type { CustomerGroupRecord } from "../../../../shared/customers/index.ts";
import { iso } from "../../../../shared/kernel/index.ts";

export const CustomerGroupView = z
  .object({
    id: z.string(),
    name: z.string(),
    customer_ids: z.array(z.string()).openapi({ description: "In the order of the ids." }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi("CustomerGroup");

export const viewCustomerGroup = ({
  group,
  updatedAt,
}: CustomerGroupRecord): z.infer<typeof CustomerGroupView> => ({
  id: group.id,
  name: group.name,
  customer_ids: [...group.customerIds],
  created_at: iso(group.createdAt),
  updated_at: iso(updatedAt),
});
