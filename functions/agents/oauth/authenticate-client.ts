import { createLocalJWKSet, jwtVerify } from "jose";
import { minute, second } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import { clientLookup } from "./authorize.ts";
import { findClient, type OAuthClient } from "./client-document.ts";
import { type OAuthContext, OAuthError } from "./context.ts";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** How far in the future an assertion may expire. */
const maxAssertionMs = 5 * minute;

/**
 * Requires the client of a form, which proves itself by the method of its document. An assertion may
 * be sent twice within its time, because the codes and tokens that come with it work once.
 *
 * @throws OAuthError invalid_client.
 */
export async function requireClient(
  c: OAuthContext,
  form: ReadonlyMap<string, string>,
): Promise<OAuthClient> {
  if (c.req.header("authorization") !== undefined || form.has("client_secret"))
    throw refusal("Clients have no secret here. Use private_key_jwt or none.");
  const client = await findClient(form.get("client_id") ?? "", clientLookup(c));
  if ("problem" in client) throw refusal(client.problem);
  const assertion = form.get("client_assertion");
  if (client.authMethod === "none") {
    if (assertion !== undefined) throw refusal("This client has registered no assertions.");
    return client;
  }
  if (form.get("client_assertion_type") !== assertionType || assertion === undefined)
    throw refusal("Send a client_assertion that a key of the client signed.");
  await verifyAssertion(c, client, assertion);
  return client;
}

async function verifyAssertion(
  c: OAuthContext,
  client: OAuthClient,
  assertion: string,
): Promise<void> {
  const { address } = c.get("shop");
  const now = runtime.now();
  try {
    const { payload } = await jwtVerify(
      assertion,
      createLocalJWKSet({ keys: client.keys.map((key) => ({ ...key, kty: String(key.kty) })) }),
      {
        algorithms: ["ES256"],
        issuer: client.id,
        subject: client.id,
        audience: [address, `${address}/oauth/token`],
        requiredClaims: ["exp", "jti"],
        currentDate: new Date(now),
      },
    );
    if (Number(payload.exp) * second <= now + maxAssertionMs) return;
  } catch {
    // forged, expired, for another server, or without a matching key
  }
  throw refusal("The client_assertion is not valid for this server.");
}

const refusal = (description: string) => new OAuthError("invalid_client", description);
