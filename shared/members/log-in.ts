import { generateToken, sha256 } from "../kernel/index.ts";
import type { ConsoleUser } from "./console-session.ts";
import { consoleSessionRepo } from "./console-session-repo.ts";
import type { ConsoleContext } from "./context.ts";
import {
  acceptInvitations,
  type Membership,
  membershipQueries,
  toMemberships,
  userIdOfEmail,
} from "./member-repo.ts";
import { userRepo } from "./user-repo.ts";

/** What a login shows of its user. */
export type UserWithMemberships = Readonly<{
  user: ConsoleUser;
  memberships: readonly Membership[];
}>;

/** A new session. Only the hash of its token is stored. */
export type ConsoleLogin = UserWithMemberships & Readonly<{ token: string }>;

/**
 * Logs in with an e-mail address that was just verified, and accepts its invitations. The session of
 * an earlier cookie ends, so nobody who planted that cookie is logged in (docs/contract/members.md#console-session).
 */
export async function logInWithEmail(
  { core, now, newId, randomBytes }: ConsoleContext,
  { email, oldToken }: Readonly<{ email: string; oldToken: string | null }>,
): Promise<ConsoleLogin> {
  const at = now();
  const token = generateToken(randomBytes);
  const userRecords = userRepo(core);
  const sessions = consoleSessionRepo(core);
  const userId = userIdOfEmail(email);
  const [hash, oldHash] = await Promise.all([sha256(token), sha256(oldToken ?? "")]);
  const [, , , , , [user], ...found] = await core.batch([
    userRecords.insertIfMissing({ id: newId("usr"), email, createdAt: at }),
    acceptInvitations(core, email, at),
    userRecords.takeName(email),
    sessions.delete(oldHash),
    sessions.insert(hash, userId, at),
    userRecords.byEmailQuery(email),
    ...membershipQueries(core, userId),
  ]);
  if (!user) throw new Error("The address has no user.");
  return { token, user, memberships: toMemberships(...found) };
}

/** Reads the businesses that a user works for. */
export async function listMemberships(
  { core }: Pick<ConsoleContext, "core">,
  userId: string,
): Promise<Membership[]> {
  return toMemberships(...(await core.batch(membershipQueries(core, userId))));
}
