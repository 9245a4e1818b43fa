import { invalid, omitUndefined, type Patch } from "../../kernel/index.ts";

/** A named set of customers, to which deals can be limited. */
export type CustomerGroup = Readonly<{
  id: string;
  name: string;
  customerIds: readonly string[];
  createdAt: number;
}>;

/** The fields of a new group that the merchant sets. */
export type NewCustomerGroup = Pick<CustomerGroup, "name" | "customerIds">;

export type CustomerGroupPatch = Patch<NewCustomerGroup> &
  Readonly<{
    addedCustomerIds?: readonly string[] | undefined;
    removedCustomerIds?: readonly string[] | undefined;
  }>;

/** The most customers of one group (docs/contract/business.md#customer-groups). */
export const maxGroupCustomers = 10_000;

/** The most ids of customers that one audit entry names. */
const maxAuditedIds = 100;

/** The customers who join and leave a group by a change. Only these are written. */
export type MemberChange = Readonly<{ added: readonly string[]; removed: readonly string[] }>;

/**
 * The group after a change. The ids stay sorted, as a read shows them.
 *
 * @throws Refusal VALIDATION_ERROR for too many customers.
 */
export function withGroupPatch(
  group: CustomerGroup,
  { addedCustomerIds = [], removedCustomerIds = [], ...patch }: CustomerGroupPatch,
): CustomerGroup {
  const changed = { ...group, ...omitUndefined(patch) };
  const ids = new Set([...changed.customerIds, ...addedCustomerIds]);
  for (const id of removedCustomerIds) ids.delete(id);
  if (ids.size > maxGroupCustomers) {
    throw invalid("add_customer_ids", `must leave at most ${maxGroupCustomers} in the group`);
  }
  return { ...changed, customerIds: [...ids].sort() };
}

export function memberChange(before: readonly string[], after: readonly string[]): MemberChange {
  const [earlier, later] = [new Set(before), new Set(after)];
  return {
    added: after.filter((id) => !earlier.has(id)),
    removed: before.filter((id) => !later.has(id)),
  };
}

/** A group for the audit trail, without its list of customers, which may be long. */
export const auditedGroup = ({ id, name, customerIds }: CustomerGroup) => ({
  id,
  name,
  customerCount: customerIds.length,
});

/** The customers who joined and left, for the audit trail. Of many, the first are named. */
export const auditedMembers = ({ added, removed }: MemberChange) => ({
  addedCustomerIds: added.slice(0, maxAuditedIds),
  removedCustomerIds: removed.slice(0, maxAuditedIds),
});
