type Data = Readonly<Record<string, unknown>>;

export type Api = Readonly<{
  get(path: string): Promise<Data>;
  post(path: string, body: unknown): Promise<Data>;
  put(path: string, body: unknown): Promise<Data>;
  patch(path: string, body: unknown): Promise<Data>;
  /** A body that is not JSON. */
  send(path: string, type: string, body: string): Promise<Data>;
}>;

/** The calls under one address with one credential; answers the envelope's data, throws refusals. */
export function apiAt(base: string, credential: Readonly<Record<string, string>>): Api {
  const json = (method: string) => (path: string, body: unknown) =>
    call(`${base}${path}`, {
      method,
      headers: { ...credential, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    get: (path) => read(`${base}${path}`, { headers: credential }),
    post: json("POST"),
    put: json("PUT"),
    patch: json("PATCH"),
    send: (path, type, body) =>
      call(`${base}${path}`, {
        method: "POST",
        headers: { ...credential, "Content-Type": type },
        body,
      }),
  };
}

/**
 * An idle connection may be closed just as it is taken up again: what changes nothing is then asked
 * once more.
 */
const read = (url: string, init: RequestInit): Promise<Data> =>
  call(url, init).catch((error: unknown) => {
    if (error instanceof TypeError) return call(url, init); // how fetch says that no answer came
    throw error;
  });

async function call(url: string, init: RequestInit): Promise<Data> {
  const response = await fetch(url, init);
  if (response.status === 429) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return call(url, init);
  }
  const body = await response.text();
  const { pathname } = new URL(url);
  if (!response.ok)
    throw new Error(`${init.method ?? "GET"} ${pathname}: ${response.status} ${body}`);
  return record(record(JSON.parse(body)).data);
}

/** A value of an answer that must be an object. */
export function record(value: unknown): Data {
  if (typeof value !== "object" || value === null) throw new Error(`Not an object: ${value}`);
  return { ...value };
}

/** A value of an answer that must be text. */
export function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`Not a text: ${value}`);
  return value;
}

/** A value of an answer that must be a list of objects. */
export function records(value: unknown): readonly Data[] {
  if (!Array.isArray(value)) throw new Error(`Not a list: ${value}`);
  return value.map(record);
}
