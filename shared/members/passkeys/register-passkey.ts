import { findFailedConstraint } from "../../database/index.ts";
import { conflict, invalid, ruleViolation } from "../../kernel/index.ts";
import type { ConsoleUser } from "../console-session.ts";
import type { ConsoleContext } from "../context.ts";
import {
  challengeOf,
  challengeTtlMs,
  decodeBytes,
  encodeBytes,
  hashChallenge,
  maxPasskeys,
  type Passkey,
  RegistrationResponse,
  type RelyingParty,
} from "./passkey.ts";
import { passkeyRepo } from "./passkey-repo.ts";

/** What a browser needs to create a passkey. */
export type RegistrationOptions = Readonly<{
  challenge: string;
  rp: Readonly<{ id: string; name: string }>;
  user: Readonly<{ id: string; name: string; displayName: string }>;
  pubKeyCredParams: readonly Readonly<{ alg: number; type: "public-key" }>[];
  timeout: number;
  /** The passkeys that the user has, so that no authenticator holds two. */
  excludeCredentials: readonly Readonly<{ id: string; type: "public-key" }>[];
}>;

/** Makes the options with which a browser creates a passkey for the user. */
export async function createRegistrationOptions(
  { core, now }: ConsoleContext,
  user: ConsoleUser,
  { hostname }: RelyingParty,
): Promise<RegistrationOptions> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const repo = passkeyRepo(core);
  const rp = { id: hostname, name: "Duka" };
  const options = await generateRegistrationOptions({
    rpName: rp.name,
    rpID: rp.id,
    userID: new Uint8Array(new TextEncoder().encode(user.id)),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
  });
  const { challenge, pubKeyCredParams } = options;
  const hash = await hashChallenge(challenge);
  const [, existing] = await core.batch([
    repo.insertChallenge(hash, user.id, now() + challengeTtlMs),
    repo.listQuery(user.id),
  ]);
  return {
    challenge,
    rp,
    user: options.user,
    pubKeyCredParams,
    timeout: challengeTtlMs,
    excludeCredentials: existing.map(({ credentialId }) => ({
      id: credentialId,
      type: "public-key",
    })),
  };
}

/**
 * Stores the passkey that a browser has created.
 *
 * @throws Refusal VALIDATION_ERROR `response`, CONFLICT for a passkey that exists, PASSKEY_LIMIT.
 */
export async function registerPasskey(
  { core, now, newId }: ConsoleContext,
  user: ConsoleUser,
  {
    response,
    name,
    relyingParty,
  }: Readonly<{ response: unknown; name: string; relyingParty: RelyingParty }>,
): Promise<Passkey> {
  const parsed = RegistrationResponse.safeParse(response);
  const challenge = parsed.success ? challengeOf(parsed.data.response.clientDataJSON) : null;
  if (!parsed.success || challenge === null) throw notAccepted();
  const repo = passkeyRepo(core);
  const taken = await repo.takeChallenge(await hashChallenge(challenge));
  if (taken === null || taken.userId !== user.id || taken.expiresAt <= now()) throw notAccepted();
  const credential = await verifyRegistration(parsed.data, { challenge, relyingParty });
  if (credential === null) throw notAccepted();
  const passkey: Passkey = {
    id: newId("psk"),
    userId: user.id,
    credentialId: credential.id,
    publicKey: encodeBytes(credential.publicKey),
    counter: credential.counter,
    transports: parsed.data.response.transports,
    name,
    createdAt: now(),
    lastUsedAt: null,
  };
  if (!(await insertPasskey(repo, passkey)))
    throw ruleViolation("PASSKEY_LIMIT", `A login has at most ${maxPasskeys} passkeys.`, {
      limit: maxPasskeys,
    });
  return passkey;
}

const notAccepted = () =>
  invalid("response", "was not accepted. Ask for new options and register the passkey again");

async function insertPasskey(
  repo: ReturnType<typeof passkeyRepo>,
  passkey: Passkey,
): Promise<boolean> {
  try {
    return await repo.insert(passkey);
  } catch (error) {
    if (findFailedConstraint(error) !== "passkeys.credential_id") throw error;
    throw conflict("This passkey is registered already.");
  }
}

type VerificationInput = Readonly<{ challenge: string; relyingParty: RelyingParty }>;

/** The verified credential; null for any answer that the options did not ask for. */
async function verifyRegistration(
  response: typeof RegistrationResponse._output,
  { challenge, relyingParty }: VerificationInput,
) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    await assertNoCertificates(response.response.attestationObject);
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.hostname,
      requireUserVerification: true,
    });
    return registrationInfo?.credential ?? null;
  } catch {
    return null; // the library throws for every answer that it does not accept
  }
}

/**
 * The options ask for no attestation. Certificates name addresses of revocation lists, which the
 * library would fetch.
 */
async function assertNoCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const decoded = decodeAttestationObject(decodeBytes(attestationObject));
  const isPlain =
    ["none", "packed"].includes(decoded.get("fmt")) && !decoded.get("attStmt").get("x5c");
  if (!isPlain) throw new Error("The attestation has certificates.");
}
