import { type Dictionary, type InnerList, parseDictionary } from "structured-headers";
import type { PublicJwk } from "../platform.ts";
import { base64Url, matchesDigest } from "./content-digest.ts";
import { requiredComponents, type SignedMessage } from "./message.ts";
import { es256 } from "./sign-message.ts";
import { signatureBase } from "./signature-base.ts";

export type SignatureProblem = Readonly<{
  type: "refused";
  code:
    | "signature_missing"
    | "signature_invalid"
    | "key_not_found"
    | "digest_mismatch"
    | "algorithm_unsupported";
  content: string;
}>;

/** `unsigned`: the message has no part of a signature. */
export type Verification =
  | Readonly<{ type: "unsigned" }>
  | Readonly<{ type: "verified"; kid: string }>
  | SignatureProblem;

/** More signatures than an honest sender uses; each costs an elliptic-curve verification. */
const maxSignatures = 4;

/**
 * Verifies the signatures of a message with the public keys of its sender. One of them must be valid
 * (docs/agents.md#signatures).
 */
export async function verifyMessage(
  message: SignedMessage,
  { keys, now }: Readonly<{ keys: readonly PublicJwk[]; now: number }>,
): Promise<Verification> {
  const input = message.headers.get("signature-input");
  const signatures = message.headers.get("signature");
  if (input === null && signatures === null) return { type: "unsigned" };
  if (input === null || signatures === null)
    return refuse("signature_missing", "Send both Signature-Input and Signature.");
  const inputs = parseHeader(input);
  const values = parseHeader(signatures);
  if (inputs === null || values === null || inputs.size === 0)
    return refuse("signature_invalid", "Signature-Input and Signature must be dictionaries.");
  if (inputs.size > maxSignatures)
    return refuse("signature_invalid", `Send at most ${maxSignatures} signatures.`);
  let problem: SignatureProblem | null = null;
  for (const [label, covered] of inputs) {
    const value = values.get(label)?.[0];
    const result =
      isInnerList(covered) && value instanceof ArrayBuffer
        ? await verifySignature(message, { covered, signature: value, keys, now })
        : refuse("signature_invalid", `The signature ${label} is missing or no byte sequence.`);
    if (result.type === "verified") return result;
    problem ??= result;
  }
  return problem ?? refuse("signature_missing", "Send a signature.");
}

async function verifySignature(
  message: SignedMessage,
  {
    covered,
    signature,
    keys,
    now,
  }: Readonly<{
    covered: InnerList;
    signature: ArrayBuffer;
    keys: readonly PublicJwk[];
    now: number;
  }>,
): Promise<Exclude<Verification, { type: "unsigned" }>> {
  const parameters = covered[1];
  const tag = parameters.get("tag");
  if (tag !== undefined && tag !== webBotAuth)
    return refuse("signature_invalid", "The signature is made for another purpose.");
  const kid = parameters.get("keyid");
  const key = keys.find((one) => one.kid === kid && isForSignatures(one));
  if (!key) return refuse("key_not_found", "The profile has no signing key with this keyid.");
  if (tag === webBotAuth && key.kid !== (await thumbprintOf(key)))
    return refuse("signature_invalid", "The keyid must be the thumbprint of the key.");
  if (!isEs256(key, parameters.get("alg")))
    return refuse("algorithm_unsupported", "Sign with ES256: a key of the curve P-256.");
  const expires = parameters.get("expires");
  if (expires !== undefined && !(Number(expires) * 1_000 > now))
    return refuse("signature_invalid", "The signature has expired.");
  const names = new Set(covered[0].map(([name]) => name));
  const missing = requiredComponents(message).filter((name) => !names.has(name));
  if (missing.length > 0)
    return refuse("signature_invalid", `The signature must cover ${missing.join(", ")}.`);
  if (
    names.has("content-digest") &&
    !(await matchesDigest(message.headers.get("content-digest"), message.body))
  )
    return refuse("digest_mismatch", "Content-Digest is not the SHA-256 digest of the body.");
  const base = readBase(message, covered);
  const isValid = base !== null && (await verifyBytes(key, { signature, base }));
  return isValid
    ? { type: "verified", kid: key.kid }
    : refuse("signature_invalid", "The signature does not fit the request and the key.");
}

const webBotAuth = "web-bot-auth";

const refuse = (code: SignatureProblem["code"], content: string): SignatureProblem => ({
  type: "refused",
  code,
  content,
});

function parseHeader(text: string): Dictionary | null {
  try {
    return parseDictionary(text);
  } catch {
    return null;
  }
}

function readBase(message: SignedMessage, covered: InnerList): string | null {
  try {
    return signatureBase(message, covered);
  } catch {
    return null; // a covered header is no dictionary, although one of its members is signed
  }
}

type Member = Dictionary extends ReadonlyMap<string, infer M> ? M : never;
const isInnerList = (member: Member): member is InnerList => Array.isArray(member[0]);

/** RFC 7517, sections 4.2 and 4.3. */
const isForSignatures = ({ use, key_ops: operations }: PublicJwk): boolean =>
  use !== "enc" && (operations === undefined || operations.includes("verify"));

const isEs256 = ({ kty, crv, alg }: PublicJwk, claimed: unknown): boolean =>
  kty === "EC" &&
  crv === "P-256" &&
  (alg === undefined || alg === "ES256") &&
  (claimed === undefined || claimed === "ecdsa-p256-sha256");

async function verifyBytes(
  { kty, crv = "", x = "", y = "" }: PublicJwk,
  { signature, base }: Readonly<{ signature: ArrayBuffer; base: string }>,
): Promise<boolean> {
  const algorithm = { name: es256.name, namedCurve: "P-256" };
  try {
    const jwk = { kty, crv, x, y };
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    return await crypto.subtle.verify(es256, key, signature, new TextEncoder().encode(base));
  } catch {
    return false; // the coordinates are no point of the curve
  }
}

/** The thumbprint of an elliptic-curve key (RFC 7638). */
export async function thumbprintOf({ crv, kty, x, y }: Omit<PublicJwk, "kid">): Promise<string> {
  const members = JSON.stringify({ crv, kty, x, ...(kty === "EC" && { y }) });
  return base64Url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(members)));
}
