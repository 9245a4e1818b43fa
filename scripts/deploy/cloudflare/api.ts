import { z } from "zod";

/** A request that Cloudflare refused, with the code of its first error. */
export class CloudflareError extends Error {
  override name = "CloudflareError";
  readonly status: number;
  readonly code: number | null;

  constructor(call: string, status: number, errors: readonly ApiError[]) {
    const reasons = errors.map(({ code, message }) => `${message} [${code}]`).join("; ");
    super(`Cloudflare refused ${call} with ${status}: ${reasons || "no reason given"}`);
    this.status = status;
    this.code = errors[0]?.code ?? null;
  }
}

/** Calls Cloudflare's REST API. Results are checked against a schema. */
export type CloudflareApi = Readonly<{
  get<T>(path: string, result: z.ZodType<T>): Promise<T>;
  /** All pages of a list. */
  list<T>(path: string, item: z.ZodType<T>): Promise<T[]>;
  post<T>(path: string, body: unknown, result: z.ZodType<T>): Promise<T>;
  put<T>(path: string, body: unknown, result: z.ZodType<T>): Promise<T>;
}>;

type ApiError = z.infer<typeof ApiErrors>[number];
const ApiErrors = z.array(z.object({ code: z.number(), message: z.string() }));

const Envelope = z.object({
  success: z.boolean(),
  errors: ApiErrors.nullish(),
  result: z.unknown(),
  result_info: z.looseObject({ per_page: z.number().optional() }).nullish(),
});

const perPage = 50;
/** The code for a Worker, or a name below workers.dev, that does not exist. */
const missingCode = 10_007;
const timeoutMs = 60_000;

/** The address of the API; wrangler reads the same variable. */
export const apiAddress = (env: NodeJS.Dict<string>): string =>
  env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";

/** Connects to Cloudflare's API with an API token or the token of `wrangler login`. */
export function connectToCloudflare(
  address: string,
  token: string,
  fetchResponse: (request: Request) => Promise<Response> = fetch,
): CloudflareApi {
  async function send(method: string, path: string, body?: unknown) {
    const request = new Request(`${address}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await fetchResponse(request);
    const envelope = Envelope.safeParse(await response.json().catch(() => null));
    if (!response.ok || !envelope.success || !envelope.data.success)
      throw new CloudflareError(`${method} ${path}`, response.status, envelope.data?.errors ?? []);
    return envelope.data;
  }

  async function list<T>(path: string, item: z.ZodType<T>): Promise<T[]> {
    const items: T[] = [];
    for (let page = 1; ; page += 1) {
      const query = `?page=${page}&per_page=${perPage}`;
      const { result, result_info: info } = await send("GET", `${path}${query}`);
      const found = z.array(item).parse(result);
      items.push(...found);
      // Some lists have shorter pages than requested.
      if (found.length < (info?.per_page ?? perPage)) return items;
    }
  }

  return {
    get: async (path, schema) => schema.parse((await send("GET", path)).result),
    list,
    post: async (path, body, schema) => schema.parse((await send("POST", path, body)).result),
    put: async (path, body, schema) => schema.parse((await send("PUT", path, body)).result),
  };
}

/** The result of a request; null when Cloudflare says that the thing does not exist. */
export const nullWhenMissing = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    const isMissing =
      error instanceof CloudflareError && (error.status === 404 || error.code === missingCode);
    if (isMissing) return null;
    throw error;
  });
