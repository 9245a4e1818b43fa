import { env, exports } from "cloudflare:workers";
import { chance } from "../../functions/runtime/runtime.ts";
import {
  type CreatedBusiness,
  createBusiness,
  type NewBusiness,
  type ShopContext,
} from "../../shared/businesses/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { type Actor, createMeter } from "../../shared/kernel/index.ts";
import { demandDocumented } from "./documented.ts";

/** A business of the test's own, with its keys; `defaults` are overridden by what matters to the test. */
export function givenBusiness(input: Partial<NewBusiness> = {}): Promise<CreatedBusiness> {
  return createBusiness(
    { ...chance, core: openDb(env.CORE, createMeter()), shards: env.SHOP_SHARDS.split(",") },
    {
      name: "Test shop",
      mode: "test",
      currency: "GHS",
      defaultCountry: "GH",
      timezone: "Africa/Accra",
      organizationId: null,
      ...input,
    },
  );
}

/** The context of a use case under test, on the real database of the business's shard. */
export function contextFor(
  { business }: Pick<CreatedBusiness, "business">,
  actor: Actor = { type: "system", job: "test" },
): ShopContext {
  const meter = createMeter();
  return {
    ...chance,
    requestId: "test-request",
    business,
    actor,
    meter,
    db: openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), business), meter),
    announce: () => {},
  };
}

export type Answer = Readonly<{ status: number; body: unknown; headers: Headers }>;

export type CallOptions = Readonly<{
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `body` as JSON. */
  raw?: BodyInit;
  host?: string;
  /** Who answers instead of the whole Worker: one with other bindings, say. */
  by?: (request: Request<unknown, IncomingRequestCfProperties>) => Promise<Response>;
}>;

let calls = 0;

/** An address that changes now and then, so that no limit of one address meets the whole suite. */
function nextAddress(): string {
  const block = Math.floor(calls++ / 50);
  return `10.0.${block >> 8}.${block & 255}`;
}

/**
 * One call through the whole Worker.
 *
 * @throws Error when the answer is not as its document has it.
 */
export async function call(
  method: string,
  path: string,
  {
    body,
    headers,
    raw,
    host = "duka.test",
    by = (request) => exports.default.fetch(request),
  }: CallOptions = {},
): Promise<Answer> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://${host}${path}`, {
    method,
    headers: {
      "CF-Connecting-IP": nextAddress(),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(raw !== undefined
      ? { body: raw }
      : body !== undefined
        ? { body: JSON.stringify(body) }
        : {}),
  });
  const response = await by(request);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const answer = {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
  demandDocumented({ method, path, ...answer });
  return answer;
}

/** A shopper at the storefront: keeps the session cookie as a browser would, and may come with one. */
export function shopper({ keys }: Pick<CreatedBusiness, "keys">, given: string | null = null) {
  let cookie = given;
  return async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const answer = await call(method, `/api/v1${path}`, {
      ...options,
      headers: {
        "X-Public-Key": keys.publishable,
        ...(cookie !== null && { Cookie: cookie }),
        ...options.headers,
      },
    });
    const set = answer.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";")[0] ?? null;
    return answer;
  };
}

/** The merchant's server, on its own business's path. */
export const merchant =
  ({ keys, business }: CreatedBusiness) =>
  (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    call(method, `/v1/businesses/${business.id}${path}`, {
      ...options,
      headers: { "X-API-Key": keys.secret, ...options.headers },
    });

/** The round trips that an answer reports (completions.md 1). */
export function roundTrips({ headers }: Answer): { d1: number; do: number; lease: number } {
  const count = (name: string) =>
    Number(
      new RegExp(`(?:^|, )${name};desc="(\\d+)"`).exec(headers.get("server-timing") ?? "")?.[1] ??
        Number.NaN,
    );
  return { d1: count("d1"), do: count("do"), lease: count("lease") };
}
