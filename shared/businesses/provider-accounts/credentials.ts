import type { ProviderName } from "./payment-methods.ts";

/** The keys of an account at a provider. Only their sealed form is stored. */
export type ProviderCredentials = Readonly<{
  secretKey: string;
  /** Signs the provider's webhooks; null when the secret key does. */
  webhookSecret: string | null;
  publishableKey: string | null;
}>;

/** A key of CREDENTIALS_KEY, which wraps the data keys of businesses: 32 bytes, with an id. */
export type WrappingKey = Readonly<{ id: string; bytes: Uint8Array<ArrayBuffer> }>;

/** The wrapping keys, newest first. The newest one wraps; all of them unwrap. */
export type Keyring = readonly WrappingKey[];

/** A business's data key, encrypted with a wrapping key. */
export type WrappedDataKey = Readonly<{ wrappingKeyId: string; wrapped: string }>;

/** The credentials, encrypted with the business's data key, and that key. */
export type SealedCredentials = Readonly<{ credentials: string; dataKey: WrappedDataKey }>;

/** Bound to every ciphertext, so that a row that is copied to another owner does not open. */
export type CredentialsOwner = Readonly<{ businessId: string; provider: ProviderName }>;

/** Credentials or a data key that this deployment cannot decrypt. Names no secret. */
export class UnreadableCredentials extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnreadableCredentials";
  }
}

type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => unknown;

const ivBytes = 12;
const dataKeyBytes = 32;
const encoder = new TextEncoder();

/** Creates a business's data key, wrapped with the newest key of the keyring. */
export async function createDataKey(
  businessId: string,
  { keyring, randomBytes }: Readonly<{ keyring: Keyring; randomBytes: RandomBytes }>,
): Promise<WrappedDataKey> {
  const bytes = new Uint8Array(dataKeyBytes);
  randomBytes(bytes);
  return wrapDataKey(bytes, businessId, { keyring, randomBytes });
}

/** Wraps a data key again with the newest key. @throws UnreadableCredentials. */
export async function rewrapDataKey(
  dataKey: WrappedDataKey,
  businessId: string,
  { keyring, randomBytes }: Readonly<{ keyring: Keyring; randomBytes: RandomBytes }>,
): Promise<WrappedDataKey> {
  const bytes = await unwrapDataKey(dataKey, businessId, keyring);
  return wrapDataKey(bytes, businessId, { keyring, randomBytes });
}

/** @throws UnreadableCredentials when the data key does not open. */
export async function sealCredentials(
  credentials: ProviderCredentials,
  owner: CredentialsOwner,
  {
    dataKey,
    keyring,
    randomBytes,
  }: Readonly<{ dataKey: WrappedDataKey; keyring: Keyring; randomBytes: RandomBytes }>,
): Promise<SealedCredentials> {
  const key = await unwrapDataKey(dataKey, owner.businessId, keyring);
  const bytes = new Uint8Array(encoder.encode(JSON.stringify(credentials)));
  const sealed = await encrypt(bytes, { key, boundTo: credentialsLabel(owner), randomBytes });
  return { credentials: sealed, dataKey };
}

/** @throws UnreadableCredentials when they were sealed for another owner, altered, or lack a key. */
export async function openCredentials(
  { credentials, dataKey }: SealedCredentials,
  owner: CredentialsOwner,
  keyring: Keyring,
): Promise<ProviderCredentials> {
  const key = await unwrapDataKey(dataKey, owner.businessId, keyring);
  const bytes = await decrypt(credentials, { key, boundTo: credentialsLabel(owner) });
  if (bytes === null) throw new UnreadableCredentials("The credentials do not open.");
  const { secretKey, webhookSecret, publishableKey } = JSON.parse(new TextDecoder().decode(bytes));
  return {
    secretKey: String(secretKey),
    webhookSecret: webhookSecret === null ? null : String(webhookSecret),
    publishableKey: publishableKey === null ? null : String(publishableKey),
  };
}

/** Names what a sealed text is, so that it opens nowhere else. */
export type SealedOwner = Readonly<{ businessId: string; purpose: string }>;

/** Encrypts a text with a business's data key. @throws UnreadableCredentials. */
export async function sealText(
  text: string,
  owner: SealedOwner,
  {
    dataKey,
    keyring,
    randomBytes,
  }: Readonly<{ dataKey: WrappedDataKey; keyring: Keyring; randomBytes: RandomBytes }>,
): Promise<string> {
  const key = await unwrapDataKey(dataKey, owner.businessId, keyring);
  const boundTo = textLabel(owner);
  return encrypt(new Uint8Array(encoder.encode(text)), { key, boundTo, randomBytes });
}

/** @throws UnreadableCredentials when it was sealed for another owner, altered, or lacks a key. */
export async function openText(
  sealed: string,
  owner: SealedOwner,
  { dataKey, keyring }: Readonly<{ dataKey: WrappedDataKey; keyring: Keyring }>,
): Promise<string> {
  const key = await unwrapDataKey(dataKey, owner.businessId, keyring);
  const bytes = await decrypt(sealed, { key, boundTo: textLabel(owner) });
  if (bytes === null) throw new UnreadableCredentials(`The sealed ${owner.purpose} does not open.`);
  return new TextDecoder().decode(bytes);
}

const textLabel = ({ businessId, purpose }: SealedOwner): string =>
  JSON.stringify(["sealed text", businessId, purpose]);

async function wrapDataKey(
  bytes: Uint8Array<ArrayBuffer>,
  businessId: string,
  { keyring, randomBytes }: Readonly<{ keyring: Keyring; randomBytes: RandomBytes }>,
): Promise<WrappedDataKey> {
  const [newest] = keyring;
  if (!newest) throw new UnreadableCredentials("CREDENTIALS_KEY is not set.");
  const boundTo = dataKeyLabel(businessId, newest.id);
  const wrapped = await encrypt(bytes, { key: newest.bytes, boundTo, randomBytes });
  return { wrappingKeyId: newest.id, wrapped };
}

async function unwrapDataKey(
  { wrappingKeyId, wrapped }: WrappedDataKey,
  businessId: string,
  keyring: Keyring,
): Promise<Uint8Array<ArrayBuffer>> {
  const wrappingKey = keyring.find(({ id }) => id === wrappingKeyId);
  if (!wrappingKey)
    throw new UnreadableCredentials(`CREDENTIALS_KEY has no key with the id ${wrappingKeyId}.`);
  const boundTo = dataKeyLabel(businessId, wrappingKeyId);
  const bytes = await decrypt(wrapped, { key: wrappingKey.bytes, boundTo });
  if (bytes === null)
    throw new UnreadableCredentials(`The key ${wrappingKeyId} of CREDENTIALS_KEY is another one.`);
  return bytes;
}

const dataKeyLabel = (businessId: string, wrappingKeyId: string): string =>
  JSON.stringify(["data key", businessId, wrappingKeyId]);

const credentialsLabel = ({ businessId, provider }: CredentialsOwner): string =>
  JSON.stringify(["provider credentials", businessId, provider]);

type CipherKey = Readonly<{ key: Uint8Array<ArrayBuffer>; boundTo: string }>;

/** AES-256-GCM; returns the IV and the ciphertext in base 64. */
async function encrypt(
  bytes: Uint8Array<ArrayBuffer>,
  { key, boundTo, randomBytes }: CipherKey & Readonly<{ randomBytes: RandomBytes }>,
): Promise<string> {
  const iv = new Uint8Array(ivBytes);
  randomBytes(iv);
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(boundTo) };
  const sealed = await crypto.subtle.encrypt(algorithm, await importKey(key), bytes);
  return btoa(String.fromCharCode(...iv, ...new Uint8Array(sealed)));
}

/** Null for what was encrypted with another key, bound to another owner, or altered. */
async function decrypt(
  sealed: string,
  { key, boundTo }: CipherKey,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
    const iv = bytes.subarray(0, ivBytes);
    const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(boundTo) };
    const opened = crypto.subtle.decrypt(algorithm, await importKey(key), bytes.subarray(ivBytes));
    return new Uint8Array(await opened);
  } catch {
    return null;
  }
}

const importKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
