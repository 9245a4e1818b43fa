import { z } from "zod";
import { minute, parseJson, sha256 } from "../../kernel/index.ts";

export type Passkey = Readonly<{
  id: string;
  userId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}>;

/** How long an authenticator may take (docs/contract/members.md#passkeys). */
export const challengeTtlMs = 5 * minute;
export const maxPasskeys = 20;

/** The host that a passkey is for. */
export type RelyingParty = Readonly<{ hostname: string; origin: string }>;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const credentialFields = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}).default({}),
};

const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

/** What @simplewebauthn/browser gives after a registration. Unknown fields are dropped. */
export const RegistrationResponse = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.enum(transports)).max(transports.length).catch([]).default([]),
  }),
});

/** What @simplewebauthn/browser gives after a login. */
export const AuthenticationResponse = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional().catch(undefined),
  }),
});

const ClientData = z.object({ challenge: base64url });

/** The challenge that the browser's client data names; null when it names none. */
export function challengeOf(clientDataJson: string): string | null {
  const parsed = ClientData.safeParse(parseJson(decodeText(clientDataJson)));
  return parsed.success ? parsed.data.challenge : null;
}

/** A challenge is stored as its hash, so that a copy of the database answers none. */
export const hashChallenge = (challenge: string): Promise<string> =>
  sha256(`passkey challenge ${challenge}`);

export function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return new Uint8Array(); // a length that no base64 text has
  }
}

const decodeText = (text: string): string => new TextDecoder().decode(decodeBytes(text));

export const encodeBytes = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
