import { commitToCore, type KeyScope, type MerchantContext } from "../businesses/index.ts";
import type { Write } from "../database/index.ts";
import { assertRoleHeld, invitationTtlMs, type Member } from "./member.ts";
import { memberRepo } from "./member-repo.ts";
import type { Role } from "./role.ts";

export type NewMember = Readonly<{ email: string; name: string | null; role: Role }>;

type Invitation = NewMember &
  Readonly<{
    heldScopes: readonly KeyScope[];
    /** Returns the writes to CORE that queue the message, in the batch of the invitation. */
    writeMessage: (member: Member) => Promise<Write[]>;
  }>;

/**
 * Invites an address to work for the business. An address that was invited before, or has accepted,
 * keeps its record; an open invitation is valid for another 7 days.
 *
 * @throws Refusal FORBIDDEN for a role that may do more than the caller.
 */
export async function inviteMember(
  ctx: MerchantContext,
  { heldScopes, writeMessage, ...input }: Invitation,
): Promise<Member> {
  assertRoleHeld(heldScopes, input.role);
  const repo = memberRepo(ctx.core, ctx.business.id);
  const existing = await repo.findByEmail(input.email);
  const now = ctx.now();
  const expiresAt = now + invitationTtlMs;
  if (existing !== null) return renewInvitation(ctx, existing, { expiresAt, writeMessage });
  const member = newMember(input, { id: ctx.newId("mem"), businessId: ctx.business.id, now });
  await commitToCore(ctx, {
    writes: [repo.insertIfMissing({ ...member, expiresAt }), ...(await writeMessage(member))],
    // The audit trail outlives the member, so it holds neither the address nor the name.
    audit: { action: "member.invited", entity: member.id, after: { role: member.role } },
  });
  return (await repo.findByEmail(input.email)) ?? member;
}

async function renewInvitation(
  { core }: MerchantContext,
  member: Member,
  { expiresAt, writeMessage }: Pick<Invitation, "writeMessage"> & Readonly<{ expiresAt: number }>,
): Promise<Member> {
  if (member.acceptedAt !== null) return member;
  const message = await writeMessage(member);
  if (member.expiresAt === null) {
    const [first, ...others] = message;
    if (first) await core.batch([first, ...others]);
    return member;
  }
  await core.batch([
    memberRepo(core, member.businessId).renewInvitation(member.email, expiresAt),
    ...message,
  ]);
  return { ...member, expiresAt };
}

const newMember = (
  { email, name, role }: NewMember,
  { id, businessId, now }: Readonly<{ id: string; businessId: string; now: number }>,
): Member => ({
  id,
  businessId,
  userId: null,
  email,
  name,
  role,
  invitedAt: now,
  expiresAt: null,
  acceptedAt: null,
});

/**
 * The write that makes an address the owner of a new business. This invitation does not end,
 * because nobody in the business could repeat it.
 */
export const insertFirstOwner = (
  core: MerchantContext["core"],
  { email, ...of }: Readonly<{ email: string; id: string; businessId: string; now: number }>,
): Write =>
  memberRepo(core, of.businessId).insertIfMissing(
    newMember({ email, name: null, role: "owner" }, of),
  );
