import {
  createTtlCache,
  fetchText,
  minute,
  type ProviderTransport,
  parseJson,
  second,
} from "../../../shared/kernel/index.ts";
import { targetUrlProblem } from "../../../shared/webhooks/index.ts";

/** How a client proves that it is itself at the token endpoint. */
export const clientAuthMethods = ["private_key_jwt", "none"] as const;
type ClientAuthMethod = (typeof clientAuthMethods)[number];

/** A platform that asks for access, as its metadata document describes it. */
export type OAuthClient = Readonly<{
  /** The URL of the document. */
  id: string;
  name: string;
  redirectUris: readonly string[];
  authMethod: ClientAuthMethod;
  /** The keys that sign its assertions, as JSON Web Keys. */
  keys: readonly Readonly<Record<string, unknown>>[];
}>;

export type ClientProblem = Readonly<{ problem: string }>;

const maxDocumentBytes = 64 * 1024;
const fetchTimeoutMs = 3 * second;
const clientTtlMs = 5 * minute;
const maxCachedClients = 500;
const maxListed = 20;
const maxNameLength = 60;

const clients = createTtlCache<OAuthClient>(maxCachedClients, clientTtlMs);

type FetchOptions = Readonly<{
  fetch: ProviderTransport["fetch"];
  now: () => number;
  /** Allows addresses of this computer, without TLS. For development only. */
  allowLocal: boolean;
  /** Counts a fetch against the limit of the caller. Throws when it is exhausted. */
  assertMayFetch: () => Promise<void>;
}>;

/**
 * Finds the client whose id is the URL of its metadata document (docs/agents.md#oauth-clients). A
 * document is stored under its own URL only.
 */
export async function findClient(
  id: string,
  options: FetchOptions,
): Promise<OAuthClient | ClientProblem> {
  const urlProblem = clientIdProblem(id, options);
  if (urlProblem !== null) return { problem: urlProblem };
  const cached = clients.peek(id, options.now());
  if (cached) return cached;
  await options.assertMayFetch();
  const found = await fetchClient(id, options);
  if (!("problem" in found)) clients.put(id, options.now(), found);
  return found;
}

function clientIdProblem(id: string, options: Pick<FetchOptions, "allowLocal">): string | null {
  const problem = targetUrlProblem(id, options);
  if (problem !== null) return `client_id ${problem}`;
  const url = new URL(id);
  if (url.hash !== "" || url.href !== id) return "client_id must be a URL in its normal form.";
  return url.pathname === "/" ? "client_id must have a path." : null;
}

async function fetchClient(
  id: string,
  { fetch }: Pick<FetchOptions, "fetch">,
): Promise<OAuthClient | ClientProblem> {
  const transport = { fetch, timeoutMs: fetchTimeoutMs, maxBytes: maxDocumentBytes };
  const headers = { Accept: "application/json", "User-Agent": "Duka-Agents" };
  const response = await fetchText(transport, id, { headers });
  if (response.type === "no_answer" || response.status !== 200 || response.text === null)
    return { problem: "The document at client_id could not be read." };
  return parseClient(id, response.text);
}

/** Parses a client's metadata document, or a profile that has its fields at the root. */
function parseClient(id: string, text: string): OAuthClient | ClientProblem {
  const document = Object(parseJson(text));
  if (document.client_id !== id)
    return { problem: "The document at client_id must contain client_id, equal to its own URL." };
  const redirectUris = listOf(document.redirect_uris).filter((uri) => typeof uri === "string");
  if (redirectUris.length === 0 || !redirectUris.every(isRedirectUri))
    return { problem: "redirect_uris must list https, loopback or private-use URIs." };
  const method = document.token_endpoint_auth_method ?? "none";
  const authMethod = clientAuthMethods.find((known) => known === method);
  if (!authMethod)
    return { problem: "token_endpoint_auth_method must be private_key_jwt or none." };
  const keys = [Object(document.jwks).keys, document.keys, document.signing_keys]
    .flatMap(listOf)
    .map((key): Readonly<Record<string, unknown>> => Object(key));
  return { id, name: nameOf(document.client_name, id), redirectUris, authMethod, keys };
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.slice(0, maxListed) : [];

/** A name without characters that change how the text around it looks. */
function nameOf(value: unknown, id: string): string {
  const text = typeof value === "string" ? value.toWellFormed() : "";
  const name = text
    .replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, "")
    .trim()
    .slice(0, maxNameLength);
  return name === "" ? new URL(id).host : name;
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && (hostname === "127.0.0.1" || hostname === "[::1]");

/** Schemes of apps contain a dot (RFC 8252, 7.1), so that no scheme of the browser passes. */
const isPrivateUse = ({ protocol }: URL): boolean =>
  /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(protocol);

function isRedirectUri(text: string): boolean {
  const url = /[\s\\\p{Cc}#]/u.test(text) ? null : URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopback(url) || isPrivateUse(url);
}

/**
 * Whether a client registered the redirect URI: the same text, except for the port of a loopback
 * address, which an app gets from its system.
 */
export const hasRedirectUri = ({ redirectUris }: OAuthClient, uri: string): boolean =>
  redirectUris.some((known) => known === uri || isSameLoopback(known, uri));

function isSameLoopback(known: string, uri: string): boolean {
  const [one, other] = [URL.parse(known), isRedirectUri(uri) ? URL.parse(uri) : null];
  if (!one || !other || !isLoopback(one) || !isLoopback(other)) return false;
  const withoutPort = (text: string) =>
    text.replace(/^(http:\/\/[^/:[]+|http:\/\/\[[^\]]*\]):\d+/, "$1");
  return withoutPort(known) === withoutPort(uri);
}
