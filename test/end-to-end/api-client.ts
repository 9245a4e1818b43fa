import { expect } from "vitest";
import { loadDocumentValidator } from "./published-documents.ts";

type EndToEndResponse = Readonly<{
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}>;

type EndToEndClient = (method: string, path: string) => Promise<EndToEndResponse>;

/**
 * Creates a client for one base URL, for what the SDK has no methods for: pages and unknown paths.
 */
export const createClient =
  (base: string): EndToEndClient =>
  async (method, path) => {
    const response = await fetchAndCheck(`${base}${path}`, { method });
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, text, body: isJson(headers) ? JSON.parse(text) : null };
  };

/** `fetch` for the SDK. Every response is checked against the OpenAPI documents. */
export async function fetchAndCheck(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const { origin, pathname: path } = new URL(url);
  const method = init.method ?? "GET";
  const body: unknown = isJson(headers) ? await response.clone().json() : null;
  expectSafeHeaders(headers, `${method} ${path}`);
  if (isJson(headers)) expectCommonHeaders(headers, `${method} ${path}`);
  (await loadDocumentValidator(origin)).assertResponse({ method, path, status, headers, body });
  return response;
}

const isJson = (headers: Headers): boolean =>
  headers.get("Content-Type")?.startsWith("application/json") ?? false;

/** Checks the headers that protect browsers; an HTML page also needs a Content-Security-Policy. */
function expectSafeHeaders(headers: Headers, call: string): void {
  expect(headers.get("X-Content-Type-Options"), `X-Content-Type-Options of ${call}`).toBe(
    "nosniff",
  );
  expect(headers.get("Referrer-Policy"), `Referrer-Policy of ${call}`).toMatch(
    /^(?:no-referrer|same-origin)$/,
  );
  if (headers.get("Content-Type")?.startsWith("text/html"))
    expect(headers.get("Content-Security-Policy"), `Content-Security-Policy of ${call}`).toMatch(
      /^default-src 'none'; .*base-uri 'none'/,
    );
}

/** Checks the headers that every JSON response has. */
function expectCommonHeaders(headers: Headers, call: string): void {
  const value = (name: string) => headers.get(name) ?? "";
  expect(value("X-Request-Id"), `X-Request-Id of ${call}`).toMatch(/^[\w.:-]{8,128}$/);
  for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining"])
    expect(value(name), `${name} of ${call}`).toMatch(/^\d+$/);
  expect(value("X-RateLimit-Reset"), `X-RateLimit-Reset of ${call}`).toMatch(/^\d{10}$/);
  expect(value("Server-Timing"), `Server-Timing of ${call}`).toMatch(/\bd1;desc="\d+"/);
  expect(value("Server-Timing"), `Server-Timing of ${call}`).toMatch(/\bdo;desc="\d+"/);
}
