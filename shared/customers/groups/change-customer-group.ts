import {
  archiveRecord,
  type ConstraintRefusals,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  auditedGroup,
  auditedMembers,
  type CustomerGroupPatch,
  memberChange,
  type NewCustomerGroup,
  withGroupPatch,
} from "./customer-group.ts";
import { type CustomerGroupRecord, customerGroupRepo } from "./customer-group-repo.ts";

/**
 * Creates a group of customers.
 * @throws Refusal NOT_FOUND for a customer that does not exist or was erased.
 */
export async function createCustomerGroup(
  ctx: Context,
  input: NewCustomerGroup,
): Promise<CustomerGroupRecord> {
  const now = ctx.now();
  const group = { ...input, id: ctx.newId("cgr"), createdAt: now };
  const members = memberChange([], group.customerIds);
  await commit(ctx, {
    writes: customerGroupRepo(ctx).insert(group),
    audit: [
      {
        action: "customer_group.created",
        entity: group.id,
        after: { ...auditedGroup(group), ...auditedMembers(members) },
      },
    ],
    refusals: groupRefusals,
  });
  return { group, updatedAt: now, archivedAt: null };
}

/**
 * Changes the fields that the patch contains. Only the customers who join or leave are written, and
 * nothing when nothing changes.
 * @throws Refusal NOT_FOUND, also for a customer that does not exist or was erased.
 */
export function updateCustomerGroup(
  ctx: Context,
  id: string,
  patch: CustomerGroupPatch,
): Promise<CustomerGroupRecord> {
  return retryOnConflict(async () => {
    const record = await customerGroupRepo(ctx).get(id);
    const { group: before } = record;
    const group = withGroupPatch(before, patch);
    const members = memberChange(before.customerIds, group.customerIds);
    const isSame = members.added.length + members.removed.length === 0;
    if (isSame && group.name === before.name) return record;
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: customerGroupRepo(ctx).update(record, { group, members, updatedAt }),
      audit: [
        {
          action: "customer_group.updated",
          entity: id,
          before: auditedGroup(before),
          after: { ...auditedGroup(group), ...auditedMembers(members) },
        },
      ],
      refusals: groupRefusals,
    });
    return { group, updatedAt, archivedAt: null };
  });
}

/**
 * Archives a group. Deals that are limited to it apply to nobody through it any more. Archiving it
 * again changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveCustomerGroup = (ctx: Context, id: string): Promise<CustomerGroupRecord> =>
  archiveRecord(ctx, id, {
    repo: customerGroupRepo(ctx),
    writes: [],
    action: "customer_group.archived",
    before: ({ group }) => auditedGroup(group),
    refusals: groupRefusals,
  });

const groupRefusals: ConstraintRefusals = {
  ...staleWriteRefusal("customer_groups", "customer group"),
  "customer_group_members.customer_id": () => notFound("customer in customer_ids"),
};
