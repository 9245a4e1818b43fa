type ResponseData = Readonly<Record<string, unknown>>;

export type ApiClient = Readonly<{
  get(path: string): Promise<ResponseData>;
  post(path: string, body: unknown): Promise<ResponseData>;
  put(path: string, body: unknown): Promise<ResponseData>;
  patch(path: string, body: unknown): Promise<ResponseData>;
  /** Posts a body of another content type than JSON. */
  send(path: string, type: string, body: string): Promise<ResponseData>;
}>;

/**
 * Header of a request that gets a connection of its own. workerd closes a connection that is idle for
 * 5 s; a write that is sent over it at that moment fails (EPIPE) and must not be repeated blindly.
 */
export const ownConnection = { Connection: "close" } as const;

/**
 * Creates a client for the API at a base URL with one credential. Each method returns the `data` of
 * the response, and throws when the status is not 2xx.
 */
export function createApiClient(
  base: string,
  credential: Readonly<Record<string, string>>,
): ApiClient {
  const json = (method: string) => (path: string, body: unknown) =>
    sendRequest(`${base}${path}`, {
      method,
      headers: { ...credential, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    get: (path) => getWithRetry(`${base}${path}`, { headers: credential }),
    post: json("POST"),
    put: json("PUT"),
    patch: json("PATCH"),
    send: (path, type, body) =>
      sendRequest(`${base}${path}`, {
        method: "POST",
        headers: { ...credential, "Content-Type": type },
        body,
      }),
  };
}

/**
 * Retries a read once when the connection fails. `fetch` may have reused an idle connection of another
 * client in this process, which the server had just closed.
 */
const getWithRetry = (url: string, init: ApiRequest): Promise<ResponseData> =>
  sendRequest(url, init).catch((error: unknown) => {
    // fetch throws a TypeError when there was no response.
    if (error instanceof TypeError) return sendRequest(url, init);
    throw error;
  });

type ApiRequest = RequestInit & Readonly<{ headers: Readonly<Record<string, string>> }>;

async function sendRequest(url: string, init: ApiRequest): Promise<ResponseData> {
  const headers = { ...init.headers, ...ownConnection };
  const response = await fetch(url, { ...init, headers });
  if (response.status === 429) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return sendRequest(url, init);
  }
  const body = await response.text();
  const { pathname } = new URL(url);
  if (!response.ok)
    throw new Error(`${init.method ?? "GET"} ${pathname}: ${response.status} ${body}`);
  return asRecord(asRecord(JSON.parse(body)).data);
}

/**
 * Returns a value of a response as an object.
 *
 * @throws when the value is not an object.
 */
export function asRecord(value: unknown): ResponseData {
  if (typeof value !== "object" || value === null) throw new Error(`Not an object: ${value}`);
  return { ...value };
}

/**
 * Returns a value of a response as text.
 *
 * @throws when the value is not text.
 */
export function asText(value: unknown): string {
  if (typeof value !== "string") throw new Error(`Not a text: ${value}`);
  return value;
}

/**
 * Returns a value of a response as a list of objects.
 *
 * @throws when the value is not such a list.
 */
export function asRecords(value: unknown): readonly ResponseData[] {
  if (!Array.isArray(value)) throw new Error(`Not a list: ${value}`);
  return value.map(asRecord);
}
