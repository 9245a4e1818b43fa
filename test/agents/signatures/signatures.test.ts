import { httpbis } from "http-message-signatures";
import { describe, expect, it } from "vitest";
import {
  type PublicJwk,
  type SignedMessage,
  signMessage,
  verifyMessage,
} from "../../../shared/agents/index.ts";
import { thumbprintOf } from "../../../shared/agents/signatures/verify-message.ts";

const now = Date.UTC(2026, 10, 23, 12);
const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const es256 = { name: "ECDSA", hash: "SHA-256" };

async function createKeyPair(kid = "key-1") {
  // Safe: an asymmetric algorithm gives a pair.
  const pair = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  // Safe: the format "jwk" gives a key as an object.
  const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as JsonWebKey;
  const publicKey: PublicJwk = {
    kid,
    kty: "EC",
    crv: "P-256",
    x: jwk.x ?? "",
    y: jwk.y ?? "",
    use: "sig",
    alg: "ES256",
  };
  return { kid, pair, publicKey };
}

const url = "https://shop.example/ucp/checkout-sessions?limit=2&q=a%20b";
const encode = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const body = encode('{"line_items":[]}');
const headers = {
  "content-type": "application/json",
  "ucp-agent": 'profile="https://agent.example/profile.json"',
  "idempotency-key": "550e8400-e29b-41d4-a716-446655440000",
};

const requestOf = (changes: Readonly<Record<string, string>> = {}) =>
  ({
    type: "request",
    method: "POST",
    url,
    headers: new Headers({ ...headers, ...changes }),
    body,
  }) satisfies SignedMessage;

const responseOf = (changes: Readonly<Record<string, string>> = {}) =>
  ({
    type: "response",
    status: 201,
    headers: new Headers({ "content-type": "application/json", ...changes }),
    body,
  }) satisfies SignedMessage;

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
}

type TestMessage = SignedMessage & Readonly<{ headers: Headers }>;
type Keys = Awaited<ReturnType<typeof createKeyPair>>;

/** Signs a request as an agent does that uses the library. */
async function signAsAgent(
  keys: Keys,
  {
    fields = Object.keys({ ...headers, "content-digest": 0 }),
    derived = ["@method", "@authority", "@path", "@query"],
    added = {},
    params = {},
  }: Readonly<{
    fields?: readonly string[];
    derived?: readonly string[];
    added?: Readonly<Record<string, string>>;
    params?: Readonly<Record<string, string | Date>>;
  }> = {},
): Promise<Record<string, string>> {
  const sent = { ...headers, "content-digest": await digestOf(body), ...added };
  const signed = await httpbis.signMessage(
    {
      key: {
        id: keys.kid,
        sign: async (data) =>
          Buffer.from(await crypto.subtle.sign(es256, keys.pair.privateKey, new Uint8Array(data))),
      },
      name: "sig1",
      fields: [...derived, ...fields],
      params: ["keyid", ...Object.keys(params)],
      paramValues: { created: null, ...params },
    },
    { method: "POST", url, headers: sent },
  );
  return Object.fromEntries(
    Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

const verify = (message: SignedMessage, keys: readonly PublicJwk[]) =>
  verifyMessage(message, { keys, now });

describe("signMessage", () => {
  async function verifyWithLibrary(
    { kid, pair }: Keys,
    message: TestMessage,
    added: Readonly<Record<string, string>>,
  ) {
    const sent = { ...Object.fromEntries([...message.headers]), ...added };
    const config = {
      keyLookup: async () => ({
        id: kid,
        algs: ["ecdsa-p256-sha256"],
        verify: (data: Buffer, signature: Buffer) =>
          crypto.subtle.verify(
            es256,
            pair.publicKey,
            new Uint8Array(signature),
            new Uint8Array(data),
          ),
      }),
      notAfter: new Date(now + 1_000),
    };
    return message.type === "request"
      ? httpbis.verifyMessage(config, { method: message.method, url: message.url, headers: sent })
      : httpbis.verifyMessage(config, { status: message.status, headers: sent });
  }

  it.each([
    ["a request", requestOf()],
    ["a response", responseOf()],
    ["a request without a body", { ...requestOf(), method: "GET", body: new Uint8Array() }],
  ])("signs %s as another implementation verifies it", async (_, message) => {
    const keys = await createKeyPair();
    const key = { kid: keys.kid, privateKey: keys.pair.privateKey };
    const added = await signMessage(message, { key, createdAt: now });
    expect(await verifyWithLibrary(keys, message, added)).toBe(true);
    const signed = new Headers([...message.headers, ...Object.entries(added)]);
    expect(await verify({ ...message, headers: signed }, [keys.publicKey])).toEqual({
      type: "verified",
      kid: "key-1",
    });
    const signature = added.Signature?.slice("sig1=:".length, -1) ?? "";
    expect(atob(signature)).toHaveLength(64); // raw r and s
  });

  it("covers further headers that are named", async () => {
    const keys = await createKeyPair();
    const key = { kid: keys.kid, privateKey: keys.pair.privateKey };
    const message = requestOf({ "webhook-id": "evt_1" });
    const added = await signMessage(message, { key, createdAt: now, headers: ["webhook-id"] });
    expect(added["Signature-Input"]).toContain('"webhook-id"');
    const changed = new Headers([...message.headers, ...Object.entries(added)]);
    changed.set("webhook-id", "evt_2");
    expect(await verify({ ...message, headers: changed }, [keys.publicKey])).toMatchObject({
      code: "signature_invalid",
    });
  });
});

const target = '"@method" "@authority" "@path"';

describe("verifyMessage", () => {
  it("accepts what another implementation signs", async () => {
    const keys = await createKeyPair();
    const signed = await signAsAgent(keys);
    expect(await verify(requestOf(signed), [keys.publicKey])).toEqual({
      type: "verified",
      kid: "key-1",
    });
  });

  it("reports a message without a signature, and half of one", async () => {
    expect(await verify(requestOf(), [])).toEqual({ type: "unsigned" });
    const half = requestOf({ signature: "sig1=:AAAA:" });
    expect(await verify(half, [])).toMatchObject({ code: "signature_missing" });
  });

  it.each([
    ["the method", { method: "PUT" }, "signature_invalid"],
    ["the host", { url: url.replace("shop.", "other.") }, "signature_invalid"],
    ["the path", { url: url.replace("checkout", "cart") }, "signature_invalid"],
    ["the query", { url: url.replace("limit=2", "limit=3") }, "signature_invalid"],
    ["the body", { body: encode("{}") }, "digest_mismatch"],
  ])("refuses another %s", async (_, change, code) => {
    const keys = await createKeyPair();
    const signed = await signAsAgent(keys);
    const changed = { ...requestOf(signed), ...change };
    expect(await verify(changed, [keys.publicKey])).toMatchObject({ code });
  });

  it.each(Object.keys(headers))("refuses another %s header", async (name) => {
    const keys = await createKeyPair();
    const signed = await signAsAgent(keys);
    const changed = requestOf({ ...signed, [name]: "other" });
    expect(await verify(changed, [keys.publicKey])).toMatchObject({ code: "signature_invalid" });
  });

  it("refuses a digest that fits another body, although it is the one that was signed", async () => {
    const keys = await createKeyPair();
    const other = await digestOf(encode("{}"));
    const signed = await signAsAgent(keys, { added: { "content-digest": other } });
    expect(await verify(requestOf(signed), [keys.publicKey])).toMatchObject({
      code: "digest_mismatch",
    });
  });

  it.each([...Object.keys(headers), "content-digest"])(
    "refuses a signature that does not cover %s",
    async (name) => {
      const keys = await createKeyPair();
      const fields = Object.keys({ ...headers, "content-digest": 0 }).filter((one) => one !== name);
      const signed = await signAsAgent(keys, { fields });
      expect(await verify(requestOf(signed), [keys.publicKey])).toMatchObject({
        code: "signature_invalid",
        content: `The signature must cover ${name}.`,
      });
    },
  );

  it.each(["@method", "@authority", "@path", "@query"])(
    "refuses a signature that does not cover %s",
    async (name) => {
      const keys = await createKeyPair();
      const derived = ["@method", "@authority", "@path", "@query"].filter((one) => one !== name);
      const signed = await signAsAgent(keys, { derived });
      expect(await verify(requestOf(signed), [keys.publicKey])).toMatchObject({
        content: `The signature must cover ${name}.`,
      });
    },
  );

  it("refuses the key of another sender, and one that is not for signatures", async () => {
    const keys = await createKeyPair();
    const signed = requestOf(await signAsAgent(keys));
    const other = await createKeyPair();
    expect(await verify(signed, [other.publicKey])).toMatchObject({ code: "signature_invalid" });
    expect(await verify(signed, [])).toMatchObject({ code: "key_not_found" });
    for (const change of [{ use: "enc" }, { key_ops: ["sign"] }])
      expect(await verify(signed, [{ ...keys.publicKey, ...change }])).toMatchObject({
        code: "key_not_found",
      });
  });

  it("refuses keys of other algorithms, and coordinates that are no point", async () => {
    const keys = await createKeyPair();
    const signed = requestOf(await signAsAgent(keys));
    for (const change of [{ kty: "OKP", crv: "Ed25519" }, { crv: "P-384" }, { alg: "RS256" }])
      expect(await verify(signed, [{ ...keys.publicKey, ...change }])).toMatchObject({
        code: "algorithm_unsupported",
      });
    const broken = { ...keys.publicKey, y: keys.publicKey.x ?? "" };
    expect(await verify(signed, [broken])).toMatchObject({ code: "signature_invalid" });
  });

  it("refuses a signature after it has expired", async () => {
    const keys = await createKeyPair();
    const expiring = async (seconds: number) =>
      requestOf(await signAsAgent(keys, { params: { expires: new Date(now + seconds * 1_000) } }));
    expect(await verify(await expiring(1), [keys.publicKey])).toMatchObject({ type: "verified" });
    expect(await verify(await expiring(0), [keys.publicKey])).toMatchObject({
      content: "The signature has expired.",
    });
  });

  it("accepts a signature for Web Bot Auth only under the thumbprint of its key", async () => {
    const plain = await createKeyPair();
    const keyid = await thumbprintOf(plain.publicKey);
    const keys = { ...plain, kid: keyid, publicKey: { ...plain.publicKey, kid: keyid } };
    const agent = { "signature-agent": 'sig1="https://agent.example/profile.json";type=jwks_uri' };
    const options = {
      fields: [...Object.keys(headers), "content-digest", 'signature-agent;key="sig1"'],
      added: agent,
      params: { tag: "web-bot-auth" },
    };
    const signed = requestOf(await signAsAgent(keys, options));
    expect(await verify(signed, [keys.publicKey])).toMatchObject({ type: "verified" });
    const changed = requestOf({
      ...(await signAsAgent(keys, options)),
      "signature-agent": 'sig1="https://other.example/profile.json";type=jwks_uri',
    });
    expect(await verify(changed, [keys.publicKey])).toMatchObject({ code: "signature_invalid" });
    const misnamed = requestOf(await signAsAgent(plain, options));
    expect(await verify(misnamed, [plain.publicKey])).toMatchObject({ code: "signature_invalid" });
  });

  it("accepts the one valid signature of several, and no more than four", async () => {
    const keys = await createKeyPair();
    const signed = await signAsAgent(keys);
    const labels = (count: number, text: string | undefined) =>
      Array.from({ length: count }, (_, index) => text?.replace("sig1", `a${index}`)).join(", ");
    const with1 = requestOf({
      ...signed,
      "signature-input": `a0=("@method");keyid="none", ${signed["signature-input"]}`,
      signature: `a0=:AAAA:, ${signed.signature}`,
    });
    expect(await verify(with1, [keys.publicKey])).toMatchObject({ type: "verified" });
    const many = requestOf({
      ...signed,
      "signature-input": labels(5, signed["signature-input"]),
      signature: labels(5, signed.signature),
    });
    expect(await verify(many, [keys.publicKey])).toMatchObject({ code: "signature_invalid" });
  });

  it.each([
    ["no dictionary", "((("],
    ["no list of components", "sig1=1"],
    ["a component that does not exist", `sig1=(${target} "x-none");keyid="key-1"`],
    ["a component twice", `sig1=(${target} "@method");keyid="key-1"`],
    ["parameters that are not known", `sig1=(${target} "accept";req);keyid="key-1"`],
    ["a member of no dictionary", `sig1=(${target} "accept";key="a");keyid="key-1"`],
  ])("refuses a Signature-Input with %s", async (_, input) => {
    const { publicKey } = await createKeyPair();
    const accept = "*/*";
    const message: SignedMessage = {
      type: "request",
      method: "GET",
      url: "https://shop.example/ucp",
      headers: new Headers({ accept, "signature-input": input, signature: "sig1=:AAAA:" }),
      body: encode(""),
    };
    expect(await verify(message, [publicKey])).toMatchObject({ code: "signature_invalid" });
  });
});
