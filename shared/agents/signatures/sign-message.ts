import { type InnerList, serializeInnerList } from "structured-headers";
import { base64, contentDigest } from "./content-digest.ts";
import { requiredComponents, type SignedMessage } from "./message.ts";
import { signatureBase } from "./signature-base.ts";

/** The private half of a key pair, with the id under which the public half is published. */
export type SigningKey = Readonly<{ kid: string; privateKey: CryptoKey }>;

export const es256 = { name: "ECDSA", hash: "SHA-256" } as const;

const label = "sig1";

/**
 * Signs a message with ES256. Covers the components that every receiver demands, and further headers
 * that are named. The message must have its Content-Type already.
 *
 * @returns the headers to add to the message.
 */
export async function signMessage(
  message: SignedMessage,
  {
    key,
    createdAt,
    headers = [],
  }: Readonly<{
    key: SigningKey;
    /** In epoch milliseconds. */
    createdAt: number;
    /** Names of further headers that the signature covers, in lower case. */
    headers?: readonly string[];
  }>,
): Promise<Readonly<Record<string, string>>> {
  const hasBody = message.body.byteLength > 0;
  const digest = hasBody ? { "Content-Digest": await contentDigest(message.body) } : {};
  const withDigest = { ...message, headers: withHeaders(message.headers, digest) };
  const components = [...new Set([...requiredComponents(message), ...headers])];
  const covered: InnerList = [
    components.map((name) => [name, new Map()]),
    new Map<string, string | number>([
      ["created", Math.floor(createdAt / 1_000)],
      ["keyid", key.kid],
    ]),
  ];
  const base = signatureBase(withDigest, covered);
  if (base === null) throw new Error(`A message lacks one of ${components.join(", ")}.`);
  const signature = await crypto.subtle.sign(es256, key.privateKey, new TextEncoder().encode(base));
  return {
    ...digest,
    "Signature-Input": `${label}=${serializeInnerList(covered)}`,
    Signature: `${label}=:${base64(signature)}:`,
  };
}

function withHeaders(
  headers: Pick<Headers, "get">,
  added: Readonly<Record<string, string>>,
): Pick<Headers, "get"> {
  const values = new Headers({ ...added });
  return { get: (name) => values.get(name) ?? headers.get(name) };
}
