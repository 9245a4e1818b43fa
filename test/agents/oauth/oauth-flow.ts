import { env, exports } from "cloudflare:workers";
import { expect } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { sha256 } from "../../../shared/kernel/index.ts";
import { uniqueEmail, uniqueNetworkAddress } from "../../link/create-logins.ts";
import { hostProfile } from "../platform.ts";

export const origin = "https://duka.test";
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const redirectUri = "https://agent.example/callback";
export const readScope = "dev.ucp.shopping.order:read";

type OAuthFields = Readonly<Record<string, string>>;

/** Hosts a client's document, which contains its own address. */
export function hostClient(fields: object = {}): string {
  const id: string = hostProfile(() =>
    Response.json({
      client_id: id,
      client_name: "Agent <b>Ada</b>",
      redirect_uris: [redirectUri, "http://127.0.0.1/cb", "com.example.agent:/cb"],
      ...fields,
    }),
  );
  return id;
}

export const send = (url: string, init: RequestInit = {}) =>
  exports.default.fetch(
    new Request(url, {
      ...init,
      headers: { "CF-Connecting-IP": uniqueNetworkAddress(), ...Object(init.headers) },
      redirect: "manual",
    }),
  );

export const post = (url: string, fields: OAuthFields, headers: OAuthFields = {}) =>
  send(url, {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  });

export const readBody = async (response: Response) => Object(await response.json());

export const redirectOf = (response: Response) => {
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get("location") ?? "");
  return { target: url.origin + url.pathname, ...Object.fromEntries(url.searchParams) };
};

/** Whether the grant of an access token is active. Does not use the token. */
export async function isActive({ access_token }: { access_token: string }): Promise<boolean> {
  const row = await env.CORE.prepare(
    `select g.revoked_at from link_platform_grants g join link_platform_tokens t on t.grant_id = g.id
     where t.hash = ?`,
  )
    .bind(await sha256(access_token))
    .first();
  return row !== null && row.revoked_at === null;
}

export type OAuthFlow = ReturnType<typeof createOAuthFlow>;

/** The calls with which a client gets, refreshes and revokes tokens of a business's customers. */
export function createOAuthFlow({ business }: CreatedBusiness, client = hostClient()) {
  const address = `${origin}/agents/${business.slug}`;

  const authorizeUrl = (changes: Readonly<Record<string, string | null>> = {}) => {
    const parameters = {
      response_type: "code",
      client_id: client,
      redirect_uri: redirectUri,
      scope: readScope,
      state: "s 1&",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...changes,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) query.set(name, value);
    return `${address}/oauth/authorize?${query}`;
  };

  const submit = (fields: OAuthFields, url = authorizeUrl(), from = origin) =>
    post(url, fields, { Origin: from });

  /** Submits the page as a new customer, and returns what the platform gets. */
  async function allow(url = authorizeUrl(), contact = uniqueEmail()) {
    expect((await submit({ action: "send_code", contact }, url)).status).toBe(200);
    const response = await submit({ action: "allow", contact, code: "123456" }, url);
    const redirect: OAuthFields = redirectOf(response);
    const { code = "", state, iss, target } = redirect;
    return { contact, code, state, iss, target };
  }

  const exchange = (code: string, changes: OAuthFields = {}, headers: OAuthFields = {}) =>
    post(
      `${address}/oauth/token`,
      {
        grant_type: "authorization_code",
        client_id: client,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        code,
        ...changes,
      },
      headers,
    );

  const refresh = (token: string) =>
    post(`${address}/oauth/token`, {
      ...{ grant_type: "refresh_token", client_id: client, refresh_token: token },
    });

  const revoke = (token: string, changes: OAuthFields = {}) =>
    post(`${address}/oauth/revoke`, { client_id: client, token, ...changes });

  /** Links a new customer, and returns the response with the tokens. */
  async function link() {
    const { code } = await allow();
    return readBody(await exchange(code));
  }

  return { address, client, authorizeUrl, submit, allow, exchange, refresh, revoke, link };
}
