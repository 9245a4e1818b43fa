import type { Business } from "../../sdk/src/index.ts";

/** Seeds a collection, a group of customers, and codes: one for everybody and one for the group. */
export async function seedOffers(shop: Business): Promise<void> {
  const [{ data: summer }, { data: customer }] = await Promise.all([
    shop.collections.create({ name: "Summer", rule: { tags: ["summer"] } }),
    shop.customers.create({ name: "Ama Mensah", email: "ama@example.com" }),
  ]);
  const { data: group } = await shop.customerGroups.create({
    name: "Wholesale",
    customer_ids: [customer.id],
  });
  const percentage = { discount_type: "percentage", value: "10" } as const;
  await Promise.all([
    shop.deals.create({ ...percentage, name: "Ten percent off a first order", code: "FIRST10" }),
    shop.deals.create({
      ...{ ...percentage, name: "Summer for wholesale", code: "WHOLESALE" },
      applies_to: { scope: "collection", ids: [summer.id] },
      customer_group_ids: [group.id],
    }),
  ]);
}
