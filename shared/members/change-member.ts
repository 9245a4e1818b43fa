import { commitToCore, type KeyScope, type MerchantContext } from "../businesses/index.ts";
import { assertRoleHeld, isActiveOwner, lastOwner, type Member } from "./member.ts";
import { deleteUnneededUser, memberRepo } from "./member-repo.ts";
import type { Role } from "./role.ts";

type MemberChange = Readonly<{ id: string; heldScopes: readonly KeyScope[] }>;

/**
 * Changes a member's role. The change holds everywhere within 10 seconds.
 *
 * @throws Refusal NOT_FOUND, FORBIDDEN, LAST_OWNER, or CONFLICT when the member changed meanwhile.
 */
export async function changeRole(
  ctx: MerchantContext,
  { id, role, heldScopes }: MemberChange & Readonly<{ role: Role }>,
): Promise<Member> {
  const repo = memberRepo(ctx.core, ctx.business.id);
  const { member, hasOtherOwner } = await repo.getBesideOwner(id);
  assertRoleHeld(heldScopes, member.role);
  assertRoleHeld(heldScopes, role);
  if (member.role === role) return member;
  const mustLeaveOwner = isActiveOwner(member);
  if (mustLeaveOwner && !hasOtherOwner) throw lastOwner();
  await commitToCore(ctx, {
    writes: [repo.updateRole(member, role, { mustLeaveOwner })],
    audit: {
      action: "member.updated",
      entity: id,
      before: { role: member.role },
      after: { role },
    },
  });
  return { ...member, role };
}

/**
 * Removes a member, or withdraws an invitation. Access ends everywhere within 10 seconds. A user
 * who works for no other business is deleted.
 *
 * @throws Refusal NOT_FOUND, FORBIDDEN, LAST_OWNER, or CONFLICT when the member changed meanwhile.
 */
export async function removeMember(
  ctx: MerchantContext,
  { id, heldScopes }: MemberChange,
): Promise<Member> {
  const repo = memberRepo(ctx.core, ctx.business.id);
  const { member, hasOtherOwner } = await repo.getBesideOwner(id);
  assertRoleHeld(heldScopes, member.role);
  const mustLeaveOwner = isActiveOwner(member);
  if (mustLeaveOwner && !hasOtherOwner) throw lastOwner();
  await commitToCore(ctx, {
    writes: [
      repo.delete(member, { mustLeaveOwner }),
      ...(member.userId === null ? [] : [deleteUnneededUser(ctx.core, member.userId)]),
    ],
    audit: { action: "member.removed", entity: id, before: { role: member.role } },
  });
  return member;
}
