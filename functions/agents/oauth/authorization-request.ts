import { isPlatformScope, type PlatformScope } from "../../../shared/link/index.ts";
import { type ClientProblem, hasRedirectUri, type OAuthClient } from "./client-document.ts";

/** What a platform asks a buyer for, after all checks. */
export type AuthorizationRequest = Readonly<{
  client: OAuthClient;
  redirectUri: string;
  scopes: readonly PlatformScope[];
  codeChallenge: string;
  /** The platform's own text, which it gets back; null when it sent none. */
  state: string | null;
}>;

export type CheckedRequest =
  | Readonly<{ type: "valid"; request: AuthorizationRequest }>
  /** Nothing may be sent to the redirect URI, because no client is known to own it. */
  | Readonly<{ type: "untrusted"; problem: string }>
  /** The platform learns of the problem at its redirect URI. */
  | Readonly<{ type: "refused"; redirectUri: string; state: string | null; error: OAuthErrorText }>;

export type OAuthErrorText = Readonly<{ error: string; description: string }>;

const maxLengths: Readonly<Record<string, number>> = {
  client_id: 2_048,
  redirect_uri: 2_048,
  response_type: 50,
  scope: 1_000,
  state: 2_000,
  code_challenge: 43,
  code_challenge_method: 10,
  resource: 2_048,
};

/** The address that the tokens of a request are for, and its issuer. */
type TokenIssuer = Readonly<{ address: string }>;

/** Checks the query of the authorization endpoint. Client and redirect URI come first. */
export async function checkAuthorizationRequest(
  query: URLSearchParams,
  { address }: TokenIssuer,
  findClient: (id: string) => Promise<OAuthClient | ClientProblem>,
): Promise<CheckedRequest> {
  const invalid = Object.entries(maxLengths).find(
    ([name, max]) => query.getAll(name).length > 1 || (query.get(name)?.length ?? 0) > max,
  )?.[0];
  if (invalid === "client_id" || invalid === "redirect_uri")
    return { type: "untrusted", problem: `${invalid} must be sent once, and be shorter.` };
  const client = await findClient(query.get("client_id") ?? "");
  if ("problem" in client) return { type: "untrusted", problem: client.problem };
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!hasRedirectUri(client, redirectUri))
    return { type: "untrusted", problem: "redirect_uri is none of the client's redirect_uris." };
  const state = invalid === "state" ? null : query.get("state");
  const refuse = (error: string, description: string): CheckedRequest => ({
    type: "refused",
    ...{ redirectUri, state, error: { error, description } },
  });
  if (invalid !== undefined)
    return refuse("invalid_request", `${invalid} must be sent once, and be shorter.`);
  if (query.get("response_type") !== "code")
    return refuse("unsupported_response_type", "response_type must be code.");
  const codeChallenge = query.get("code_challenge") ?? "";
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge))
    return refuse("invalid_request", "Send a code_challenge, with code_challenge_method=S256.");
  const resource = query.get("resource");
  if (resource !== null && resource !== address && !resource.startsWith(`${address}/`))
    return refuse("invalid_target", `resource must be ${address}.`);
  const names = (query.get("scope") ?? "").split(" ").filter((name) => name !== "");
  const scopes = [...new Set(names)].filter(isPlatformScope);
  if (scopes.length === 0 || scopes.length !== new Set(names).size)
    return refuse("invalid_scope", "scope must name one or more of scopes_supported.");
  return { type: "valid", request: { client, redirectUri, scopes, codeChallenge, state } };
}

/** The redirect URI with the parameters of a response, among them the issuer (RFC 9207). */
export function redirectUriWith(
  redirectUri: string,
  parameters: Readonly<Record<string, string | null>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
