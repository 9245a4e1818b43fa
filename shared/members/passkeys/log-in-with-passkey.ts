import { generateToken, Refusal, sha256 } from "../../kernel/index.ts";
import { consoleSessionRepo } from "../console-session-repo.ts";
import type { ConsoleContext } from "../context.ts";
import type { ConsoleLogin } from "../log-in.ts";
import { membershipQueries, toMemberships } from "../member-repo.ts";
import { userRepo } from "../user-repo.ts";
import {
  AuthenticationResponse,
  challengeOf,
  challengeTtlMs,
  decodeBytes,
  hashChallenge,
  type Passkey,
  type RelyingParty,
} from "./passkey.ts";
import { passkeyRepo } from "./passkey-repo.ts";

/** What a browser needs to log in with a passkey. */
export type LoginOptions = Readonly<{ challenge: string; rpId: string; timeout: number }>;

/**
 * Makes the options of a login. They name no passkey: the authenticator finds its own, so nobody
 * learns whether an address has one.
 */
export async function createLoginOptions(
  { core, now }: ConsoleContext,
  { hostname }: RelyingParty,
): Promise<LoginOptions> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const { challenge } = await generateAuthenticationOptions({ rpID: hostname });
  const hash = await hashChallenge(challenge);
  await core.batch([passkeyRepo(core).insertChallenge(hash, null, now() + challengeTtlMs)]);
  return { challenge, rpId: hostname, timeout: challengeTtlMs };
}

type PasskeyLogin = Readonly<{
  response: unknown;
  oldToken: string | null;
  relyingParty: RelyingParty;
}>;

/**
 * Logs in with a passkey, and ends the session of an earlier cookie. Invitations wait for a login by
 * code, because only that one proves who reads the address's mail today.
 *
 * @throws Refusal UNAUTHORIZED, the same for every answer that is not accepted.
 */
export async function logInWithPasskey(
  { core, now, randomBytes }: ConsoleContext,
  { response, oldToken, relyingParty }: PasskeyLogin,
): Promise<ConsoleLogin> {
  const parsed = AuthenticationResponse.safeParse(response);
  const challenge = parsed.success ? challengeOf(parsed.data.response.clientDataJSON) : null;
  if (!parsed.success || challenge === null) throw notAccepted();
  const repo = passkeyRepo(core);
  const hash = await hashChallenge(challenge);
  const taken = await repo.takeForLogin(hash, parsed.data.id);
  const { passkey } = taken;
  const isOpen = taken.challenge?.userId === null && taken.challenge.expiresAt > now();
  if (passkey === null || !isOpen) throw notAccepted();
  const newCounter = await verifyLogin(parsed.data, passkey, { challenge, relyingParty });
  if (newCounter === null) throw notAccepted();

  const at = now();
  const token = generateToken(randomBytes);
  const [tokenHash, oldHash] = await Promise.all([sha256(token), sha256(oldToken ?? "")]);
  const [, started, , [user], ...found] = await core.batch([
    consoleSessionRepo(core).delete(oldHash),
    repo.insertSession(passkey, tokenHash, at),
    repo.recordUse(passkey, newCounter, at),
    userRepo(core).byIdQuery(passkey.userId),
    ...membershipQueries(core, passkey.userId),
  ]);
  // Another login has used the same count meanwhile, as a copied authenticator would.
  if (started.length === 0 || !user) throw notAccepted();
  return { token, user, memberships: toMemberships(...found) };
}

const notAccepted = () =>
  new Refusal({
    code: "UNAUTHORIZED",
    message: "The passkey was not accepted. Try again, or log in with a code.",
  });

/** The authenticator's new count; null for an answer that is not accepted. */
async function verifyLogin(
  response: typeof AuthenticationResponse._output,
  { credentialId, publicKey, counter }: Passkey,
  { challenge, relyingParty }: Readonly<{ challenge: string; relyingParty: RelyingParty }>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...response,
        response: {
          clientDataJSON: response.response.clientDataJSON,
          authenticatorData: response.response.authenticatorData,
          signature: response.response.signature,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.hostname,
      credential: { id: credentialId, publicKey: decodeBytes(publicKey), counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null; // the library throws for every answer that it does not accept
  }
}
