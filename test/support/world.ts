import { env, exports } from "cloudflare:workers";
import { runtime } from "../../functions/runtime/runtime.ts";
import {
  type CreatedBusiness,
  createBusiness as insertBusiness,
  type NewBusiness,
  type ShopContext,
} from "../../shared/businesses/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import { assertDocumentedResponse } from "./documented-responses.ts";
import { searchForSecrets } from "./planted-secrets.ts";

/** The business that a test works on. */
export type TestBusiness = Pick<CreatedBusiness, "business">;

/**
 * Limits that no test reaches by accident, although all its shoppers have the same contact and one
 * member or key makes all its requests within a second.
 */
const plentiful = {
  unpaidLimits: {
    holdsPerSession: 1_000_000,
    bookingsPerContact: 1_000_000,
    perAddress: 1_000_000,
  },
  rateLimits: { secretPerSecond: 10_000 },
};

/**
 * A slug that no business had before in this isolate, which keeps what a slug leads to for some
 * seconds, also after the databases were emptied for the next file.
 */
function newSlug(): string {
  globalThis.createdBusinesses = (globalThis.createdBusinesses ?? 0) + 1;
  return `test-shop-${globalThis.createdBusinesses}`;
}

/** Creates a business with its keys; `input` replaces the defaults. */
export function createBusiness(input: Partial<NewBusiness> = {}): Promise<CreatedBusiness> {
  return insertBusiness(
    { ...runtime, core: openDb(env.CORE, createMeter()), shards: env.SHOP_SHARDS.split(",") },
    {
      name: "Test shop",
      mode: "test",
      currency: "GHS",
      defaultCountry: "GH",
      timezone: "Africa/Accra",
      organizationId: null,
      payments: input.mode === "live" ? "platform" : "own",
      settings: plentiful,
      slug: newSlug(),
      ...input,
    },
  );
}

/** A business in the same shard, so that only a query's own condition separates the two. */
export async function createBusinessOnSameShard({
  business,
}: TestBusiness): Promise<CreatedBusiness> {
  for (;;) {
    const other = await createBusiness();
    if (other.business.shard === business.shard) return other;
  }
}

/** The context of a use case under test, on the real database of the business's shard. */
export function contextFor(
  { business }: TestBusiness,
  actor: Actor = { type: "system", job: "test" },
): ShopContext {
  const meter = createMeter();
  return {
    ...runtime,
    requestId: "test-request",
    business,
    actor,
    meter,
    db: openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), business), meter),
    wakeOutboxWorker: () => {},
  };
}

export type ApiResponse = Readonly<{ status: number; body: unknown; headers: Headers }>;

/** The `data` of a response. */
export const dataOf = ({ body }: ApiResponse) => Object(body).data;

/** Calls an API as one caller, such as a shopper or a merchant. */
export type ApiClient = (
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<ApiResponse>;

export type CallOptions = Readonly<{
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `body` as JSON. */
  rawBody?: BodyInit;
  host?: string;
  /** Replaces the whole Worker, for example by one with other bindings. */
  fetch?: (request: Request<unknown, IncomingRequestCfProperties>) => Promise<Response>;
}>;

/** Where the requests of tests reach the service, unless they name another host. */
export const testAddress = { origin: "https://duka.test", cdnUrl: "https://duka.test/cdn" };

let callCount = 0;

/** A client address that changes every 50 calls, so that the whole suite stays within its limits. */
function nextClientAddress(): string {
  const block = Math.floor(callCount++ / 50);
  return `10.0.${block >> 8}.${block & 255}`;
}

/**
 * Sends a request through the whole Worker.
 *
 * @throws Error when the response does not match its OpenAPI document.
 */
export async function call(
  method: string,
  path: string,
  {
    body,
    headers,
    rawBody,
    host = "duka.test",
    fetch = (request) => exports.default.fetch(request),
  }: CallOptions = {},
): Promise<ApiResponse> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://${host}${path}`, {
    method,
    headers: {
      "CF-Connecting-IP": nextClientAddress(),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(rawBody !== undefined
      ? { body: rawBody }
      : body !== undefined
        ? { body: JSON.stringify(body) }
        : {}),
  });
  const response = await fetch(request);
  const text = await response.text();
  searchForSecrets(`the response to ${method} ${path}`, `${[...response.headers].join()} ${text}`);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const received = {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
  assertDocumentedResponse({ method, path, ...received });
  return received;
}

/** A client of the storefront API that keeps the session cookie as a browser does. */
export function shopper(
  { keys }: Pick<CreatedBusiness, "keys">,
  initialCookie: string | null = null,
) {
  let cookie = initialCookie;
  return async (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> => {
    const response = await call(method, `/api/v1${path}`, {
      ...options,
      headers: {
        "X-Public-Key": keys.publishable,
        ...(cookie !== null && { Cookie: cookie }),
        ...options.headers,
      },
    });
    const setCookie = response.headers.get("set-cookie");
    if (setCookie !== null) cookie = setCookie.split(";")[0] ?? null;
    return response;
  };
}

/** A client of the business API with the business's secret key. */
export const merchant =
  ({ keys, business }: CreatedBusiness) =>
  (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> =>
    call(method, `/v1/businesses/${business.id}${path}`, {
      ...options,
      headers: { "X-API-Key": keys.secret, ...options.headers },
    });

/** A client with the operator's token. */
export const operator: ApiClient = (method, path, options = {}) =>
  call(method, path, {
    ...options,
    headers: { Authorization: `Bearer ${env.OPERATOR_TOKEN}`, ...options.headers },
  });

/** The round trips that a response's Server-Timing header reports. */
export function roundTrips({ headers }: ApiResponse): { d1: number; do: number; lease: number } {
  const count = (name: string) =>
    Number(
      new RegExp(`(?:^|, )${name};desc="(\\d+)"`).exec(headers.get("server-timing") ?? "")?.[1] ??
        Number.NaN,
    );
  return { d1: count("d1"), do: count("do"), lease: count("lease") };
}
