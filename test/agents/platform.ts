import { afterEach, beforeEach, vi } from "vitest";
import {
  capabilityNames,
  newestRelease,
  type PublicJwk,
  type Release,
  type SigningKey,
  signMessage,
} from "../../shared/agents/index.ts";
import { createPlatformProfile } from "./platform-profile.ts";

/** The response to a request for a profile. */
export type ProfileHost = () => Response | Promise<Response>;

const hosts = new Map<string, ProfileHost>();
let count = 0;

/** Lets the tests of a file host profiles of platforms. Other addresses are fetched as before. */
export function hostProfiles(): void {
  beforeEach(() => {
    const network = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      const host = hosts.get(url);
      return host ? host() : network(input, init);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    hosts.clear();
  });
}

/** Hosts a document at an address of its own, and returns the address. */
export function hostProfile(host: ProfileHost): string {
  count += 1;
  const url = `https://agent-${count}.example/profile.json`;
  hosts.set(url, host);
  return url;
}

export type TestPlatform = Readonly<{
  profileUrl: string;
  profile: object;
  key: SigningKey;
  publicKey: PublicJwk;
  /** The header with which the platform names itself. */
  headers: Readonly<Record<string, string>>;
  /** The headers of a request, with those of its signature. */
  sign: (request: UnsignedRequest) => Promise<Record<string, string>>;
}>;

export type UnsignedRequest = Readonly<{
  method: string;
  url: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
}>;

type PlatformOptions = Readonly<{
  release?: Release;
  capabilities?: readonly string[];
  orderWebhookUrl?: string;
  /** Fields of the response with the profile. */
  responseHeaders?: Readonly<Record<string, string>>;
}>;

const algorithm = { name: "ECDSA", namedCurve: "P-256" };

export async function createSigningKey(
  kid: string,
): Promise<Readonly<{ key: SigningKey; publicKey: PublicJwk }>> {
  // Safe: an asymmetric algorithm gives a pair.
  const pair = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const { x, y } = Object(await crypto.subtle.exportKey("jwk", pair.publicKey));
  const publicKey = { kid, kty: "EC", crv: "P-256", x, y, use: "sig", alg: "ES256" };
  return { key: { kid, privateKey: pair.privateKey }, publicKey };
}

/** A profile with Duka's capabilities, in the form of the newest release unless another one is given. */
export const profileOf = (
  keys: readonly PublicJwk[],
  {
    release = newestRelease,
    capabilities = capabilityNames,
    orderWebhookUrl,
  }: Pick<PlatformOptions, "release" | "capabilities" | "orderWebhookUrl"> = {},
) => createPlatformProfile({ release, capabilities, keys, orderWebhookUrl });

/** Creates a platform, whose profile the tests host. */
export async function createPlatform(options: PlatformOptions = {}): Promise<TestPlatform> {
  const { key, publicKey } = await createSigningKey("platform-1");
  const profile = profileOf([publicKey], options);
  const profileUrl = hostProfile(() =>
    Response.json(profile, {
      headers: { "Cache-Control": "public, max-age=600", ...options.responseHeaders },
    }),
  );
  // Each has a network of its own, so that the limits of networks count it alone.
  const network = profileUrl.replace(/\D/g, "");
  const headers = {
    "UCP-Agent": `profile="${profileUrl}"`,
    "CF-Connecting-IP": `10.9.${Number(network) >> 8}.${Number(network) & 255}`,
  };
  return {
    profileUrl,
    profile,
    key,
    publicKey,
    headers,
    sign: (request) =>
      signRequest(key, { ...request, headers: { ...headers, ...request.headers } }),
  };
}

/** The headers of a request with the signature of a key. */
export async function signRequest(
  key: SigningKey,
  { method, url, body = "", headers = {} }: UnsignedRequest,
): Promise<Record<string, string>> {
  const sent = { ...(body !== "" && { "Content-Type": "application/json" }), ...headers };
  const message = {
    type: "request" as const,
    method,
    url,
    headers: new Headers(sent),
    body: new Uint8Array(new TextEncoder().encode(body)),
  };
  return { ...sent, ...(await signMessage(message, { key, createdAt: Date.now() })) };
}
