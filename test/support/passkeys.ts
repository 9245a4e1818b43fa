const encoder = new TextEncoder();

const toBase64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const sha256 = async (bytes: Uint8Array<ArrayBuffer> | string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await crypto.subtle.digest(
      "SHA-256",
      typeof bytes === "string" ? encoder.encode(bytes) : bytes,
    ),
  );

/** CBOR of the few values that an authenticator sends. */
function encodeCbor(value: unknown): number[] {
  const head = (major: number, length: number): number[] =>
    length < 24
      ? [(major << 5) | length]
      : length < 256
        ? [(major << 5) | 24, length]
        : [(major << 5) | 25, length >> 8, length & 255];
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return [...head(3, value.length), ...encoder.encode(value)];
  if (value instanceof Uint8Array) return [...head(2, value.length), ...value];
  if (Array.isArray(value)) return [...head(4, value.length), ...value.flatMap(encodeCbor)];
  if (value instanceof Map)
    return [
      ...head(5, value.size),
      ...[...value].flatMap(([key, inner]) => [...encodeCbor(key), ...encodeCbor(inner)]),
    ];
  throw new Error("No authenticator sends this.");
}

/** What a test makes an authenticator or a browser do wrong. */
export type AuthenticatorFault = Readonly<{
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  counter?: number;
  certificate?: boolean;
}>;

const flags = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 };

/** ECDSA signatures of WebCrypto are r and s; authenticators send them in DER. */
function toDer(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array): number[] => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = [...bytes.slice(start)];
    const positive = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits;
    return [2, positive.length, ...positive];
  };
  const both = [...integer(signature.slice(0, 32)), ...integer(signature.slice(32))];
  return new Uint8Array([0x30, both.length, ...both]);
}

/** An authenticator in software, which answers as @simplewebauthn/browser passes it on. */
export async function createAuthenticator({ counts = true } = {}) {
  const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair; // safe: an ECDSA key has two halves
  const raw = new Uint8Array(
    (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer, // safe: of format raw
  );
  const credentialId = crypto.getRandomValues(new Uint8Array(16));
  const id = toBase64url(credentialId);
  let count = 0;

  const clientDataOf = (type: string, challenge: string, origin: string) =>
    new Uint8Array(encoder.encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })));

  async function authenticatorData(
    { rpId = "duka.test", isVerified = true, counter }: AuthenticatorFault,
    credential: readonly number[] = [],
  ): Promise<Uint8Array<ArrayBuffer>> {
    count += counts ? 1 : 0;
    const bits =
      flags.userPresent |
      (isVerified ? flags.userVerified : 0) |
      (credential.length > 0 ? flags.hasCredential : 0);
    const counted = counter ?? count;
    const countBytes = [24, 16, 8, 0].map((shift) => (counted >> shift) & 255);
    return new Uint8Array([...(await sha256(rpId)), bits, ...countBytes, ...credential]);
  }

  const publicKey = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, raw.slice(1, 33)],
    [-3, raw.slice(33)],
  ]);
  const encodedKey = encodeCbor(publicKey);

  return {
    id,
    /** As the service stores it. */
    publicKey: toBase64url(new Uint8Array(encodedKey)),

    /** The answer to the options of a registration. */
    async register(options: { challenge: string }, fault: AuthenticatorFault = {}) {
      const credential = [...new Uint8Array(16), 0, 16, ...credentialId, ...encodedKey];
      const statement: [string, unknown][] = fault.certificate
        ? [["x5c", [new Uint8Array([0x30, 0])]]]
        : [];
      const attestation = new Map<string, unknown>([
        ["fmt", fault.certificate ? "packed" : "none"],
        ["attStmt", new Map(statement)],
        ["authData", await authenticatorData(fault, credential)],
      ]);
      const { challenge = options.challenge, origin = "https://duka.test" } = fault;
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: { credProps: { rk: true } },
        authenticatorAttachment: "platform",
        response: {
          clientDataJSON: toBase64url(clientDataOf("webauthn.create", challenge, origin)),
          attestationObject: toBase64url(new Uint8Array(encodeCbor(attestation))),
          transports: ["internal"],
        },
      };
    },

    /** The answer to the options of a login. */
    async logIn(options: { challenge: string }, fault: AuthenticatorFault = {}) {
      const { challenge = options.challenge, origin = "https://duka.test" } = fault;
      const data = await authenticatorData(fault);
      const clientData = clientDataOf("webauthn.get", challenge, origin);
      const signed = new Uint8Array([...data, ...(await sha256(clientData))]);
      const algorithm = { name: "ECDSA", hash: "SHA-256" };
      const signature = await crypto.subtle.sign(algorithm, pair.privateKey, signed);
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        authenticatorAttachment: "platform",
        response: {
          clientDataJSON: toBase64url(clientData),
          authenticatorData: toBase64url(data),
          signature: toBase64url(toDer(new Uint8Array(signature))),
          userHandle: toBase64url(encoder.encode("usr")),
        },
      };
    },
  };
}
