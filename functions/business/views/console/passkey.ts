import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import type {
  LoginOptions,
  Passkey,
  RegistrationOptions,
} from "../../../../shared/members/index.ts";

export const PasskeyView = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
  })
  .openapi("Passkey");

export const viewPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  created_at: iso(createdAt),
  last_used_at: isoOrNull(lastUsedAt),
});

const userVerification = z.literal("required");

/** As startRegistration of @simplewebauthn/browser takes them, with the names of WebAuthn. */
export const RegistrationOptionsView = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal("public-key") })),
    timeout: z.number().int(),
    attestation: z.literal("none"),
    excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal("public-key") })),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
  })
  .openapi("PasskeyRegistrationOptions");

export const viewRegistrationOptions = (
  options: RegistrationOptions,
): z.infer<typeof RegistrationOptionsView> => ({
  ...options,
  pubKeyCredParams: [...options.pubKeyCredParams],
  excludeCredentials: [...options.excludeCredentials],
  attestation: "none",
  authenticatorSelection: {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  },
});

/** As startAuthentication of @simplewebauthn/browser takes them. */
export const LoginOptionsView = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number().int(),
    userVerification,
  })
  .openapi("PasskeyLoginOptions");

export const viewLoginOptions = ({
  challenge,
  rpId,
  timeout,
}: LoginOptions): z.infer<typeof LoginOptionsView> => ({
  challenge,
  rpId,
  timeout,
  userVerification: "required",
});
