export * from "./change-member.ts";
export * from "./console-access-repo.ts";
export * from "./console-directory.ts";
export * from "./console-session.ts";
export {
  consoleSessionRepo,
  expiredConsoleRecords,
  purgeConsoleRecords,
} from "./console-session-repo.ts";
export type { ConsoleContext } from "./context.ts";
export * from "./invite-member.ts";
export * from "./log-in.ts";
export * from "./member.ts";
export { deleteMembers, type Membership, memberRepo } from "./member-repo.ts";
export * from "./passkeys/log-in-with-passkey.ts";
export { hashChallenge, type Passkey, type RelyingParty } from "./passkeys/passkey.ts";
export { passkeyRepo } from "./passkeys/passkey-repo.ts";
export * from "./passkeys/register-passkey.ts";
export * from "./role.ts";
export { userRepo } from "./user-repo.ts";
