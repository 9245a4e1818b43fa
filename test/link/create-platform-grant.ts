import { env } from "cloudflare:workers";
import { createMeter, openDb } from "../../shared/database/index.ts";
import {
  authorizePlatform,
  exchangeAuthorizationCode,
  type IssuedPlatformTokens,
} from "../../shared/link/index.ts";
import { createLoginContext } from "./create-logins.ts";

/** The verifier and the challenge of RFC 7636, appendix B. */
const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const redirectUri = "https://agent.example/callback";

type GrantOwner = Readonly<{
  businessId: string;
  contact: string;
  customerId?: string;
  clientId?: string;
}>;

/** Links a platform to the test account of a contact, and returns its grant and tokens. */
export async function createPlatformGrant({
  businessId,
  contact,
  customerId = "cus_1",
  clientId = "https://agent.example/client.json",
}: GrantOwner): Promise<IssuedPlatformTokens> {
  const ctx = await createLoginContext();
  const code = await authorizePlatform(ctx, {
    contact: { type: contact.includes("@") ? "email" : "phone", value: contact },
    ...{ mode: "test", businessId, customerId },
    ...{ clientId, clientName: "Agent", redirectUri, codeChallenge },
    scopes: ["dev.ucp.shopping.order:read"],
  });
  const issued = await exchangeAuthorizationCode(
    { ...ctx, db: openDb(env.CORE, createMeter()) },
    {
      ...{ code, codeVerifier, redirectUri, businessId, clientId },
      ...{ requestKey: null, secret: "s".repeat(32) },
    },
  );
  if (issued === null) throw new Error("The authorization code was refused.");
  return issued;
}
