import {
  createDataKey,
  type Keyring,
  openText,
  providerAccountRepo,
  sealText,
  type WrappedDataKey,
} from "../../businesses/index.ts";
import type { Db } from "../../database/index.ts";
import type { Runtime } from "../../kernel/index.ts";
import type { SigningKey } from "../signatures/sign-message.ts";
import { thumbprintOf } from "../signatures/verify-message.ts";
import type { PublishedKey } from "./signing-key.ts";
import { type SealedKey, signingKeyRepo } from "./signing-key-repo.ts";

export type KeyContext = Pick<Runtime, "now" | "randomBytes"> &
  Readonly<{
    core: Db;
    /** The keys of CREDENTIALS_KEY. Without them a business has no signing keys. */
    keyring: Keyring;
  }>;

const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;

/**
 * Loads the key with which a business signs, and creates it the first time. Null in a deployment
 * without CREDENTIALS_KEY.
 *
 * @throws UnreadableCredentials when the key was sealed with a key that this deployment lacks.
 */
export async function loadSigningKey(
  ctx: KeyContext,
  businessId: string,
): Promise<SigningKey | null> {
  if (ctx.keyring.length === 0) return null;
  const repo = signingKeyRepo(ctx.core, businessId);
  const found = (await repo.findActive()) ?? (await createFirstKey(ctx, businessId));
  return { kid: found.key.kid, privateKey: await openPrivateKey(found, ctx, businessId) };
}

/** The public keys of a business's profile. Creates the first one, where the deployment can. */
export async function loadPublishedKeys(
  ctx: KeyContext,
  businessId: string,
): Promise<readonly PublishedKey[]> {
  const repo = signingKeyRepo(ctx.core, businessId);
  const keys = await repo.listPublished(ctx.now());
  if (ctx.keyring.length === 0 || keys.some(({ retiredAt }) => retiredAt === null)) return keys;
  await createFirstKey(ctx, businessId);
  return repo.listPublished(ctx.now());
}

type OpenableKey = Readonly<{ key: SealedKey; dataKey: WrappedDataKey }>;

async function createFirstKey(ctx: KeyContext, businessId: string): Promise<OpenableKey> {
  const { key, dataKey } = await createSealedKey(ctx, businessId);
  return { key: await signingKeyRepo(ctx.core, businessId).insertFirst(key), dataKey };
}

/** Creates a key pair that is not stored yet. Its private half is sealed. */
export async function createSealedKey(ctx: KeyContext, businessId: string): Promise<OpenableKey> {
  const { core, keyring, randomBytes, now } = ctx;
  const accounts = providerAccountRepo(core, businessId);
  const newDataKey = await createDataKey(businessId, { keyring, randomBytes });
  const dataKey = await accounts.ensureDataKey(newDataKey, now());
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const jwk = await exportJwk(pair);
  const { x: publicX, y: publicY } = jwk;
  const kid = await thumbprintOf({ kty: "EC", crv: "P-256", x: publicX, y: publicY });
  const sealedPrivateKey = await sealText(JSON.stringify(jwk), sealOwner(businessId, kid), {
    dataKey,
    keyring,
    randomBytes,
  });
  const createdAt = now();
  return { key: { kid, publicX, publicY, sealedPrivateKey, createdAt, retiredAt: null }, dataKey };
}

const sealOwner = (businessId: string, kid: string) => ({
  businessId,
  purpose: `agents' signing key ${kid}`,
});

async function exportJwk(pair: CryptoKeyPair | CryptoKey) {
  if (!("privateKey" in pair)) throw new Error("ECDSA generates pairs of keys.");
  const exported = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const { x, y, d } = Object(exported);
  return { kty: "EC", crv: "P-256", x: String(x), y: String(y), d: String(d) };
}

async function openPrivateKey(
  { key, dataKey }: OpenableKey,
  { keyring }: Pick<KeyContext, "keyring">,
  businessId: string,
): Promise<CryptoKey> {
  const text = await openText(key.sealedPrivateKey, sealOwner(businessId, key.kid), {
    dataKey,
    keyring,
  });
  return crypto.subtle.importKey("jwk", JSON.parse(text), algorithm, false, ["sign"]);
}
