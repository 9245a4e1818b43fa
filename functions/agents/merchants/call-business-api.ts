import { parseJson } from "../../../shared/kernel/index.ts";
import type { Upstream } from "../env.ts";
import { isRecord } from "../mcp/rpc-message.ts";
import { businessParameter, type MerchantTool } from "./merchant-tool.ts";

/** What the business API answered. */
export type ApiAnswer = Readonly<{ isSuccess: boolean; body: object; message: string }>;

/** Headers of the caller's request that say who it is, and from where it came. */
const passedHeaders = [
  "X-API-Key",
  "X-Business-Id",
  "Authorization",
  "Cookie",
  "Origin",
  "CF-Connecting-IP",
] as const;

/** A call of the business API in the caller's name. */
export type ApiCall = Readonly<{
  method: string;
  path: string;
  body?: unknown;
  idempotencyKey?: string;
}>;

/** Calls the business API, which checks the caller, its input and its limits as for any other call. */
export async function callBusinessApi(
  business: Upstream,
  caller: Request,
  { method, path, body, idempotencyKey }: ApiCall,
  requestId: string,
): Promise<ApiAnswer> {
  const headers = new Headers({ Accept: "application/json", "X-Request-Id": requestId });
  for (const name of passedHeaders) {
    const value = caller.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  const response = await business.fetch(
    new Request(new URL(path, caller.url), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return readAnswer(response);
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const body = parseJson(await response.text());
  const answer = isRecord(body) ? body : {};
  const error = isRecord(answer.error) ? answer.error : {};
  const message = typeof error.message === "string" ? error.message : "The call failed.";
  return {
    isSuccess: response.ok,
    body: { ...answer, ...paginationOf(response.headers) },
    message,
  };
}

/** A list that is a bare array names its next page in headers, which a tool has not. */
const paginationOf = (headers: Headers): object =>
  headers.has("X-Has-More")
    ? {
        pagination: {
          has_more: headers.get("X-Has-More") === "true",
          next_cursor: headers.get("X-Next-Cursor"),
        },
      }
    : {};

/** The address of a tool's call, or what is wrong with its input. */
export type ToolAddress = Readonly<{ path: string }> | Readonly<{ problem: string }>;

/** The address with the parameters of the input. `template` is the tool's path or a part of it. */
export function addressOf(
  { pathParameters, queryParameters }: MerchantTool,
  template: string,
  input: Readonly<Record<string, unknown>>,
  businessId: string,
): ToolAddress {
  let path = template.replace(`{${businessParameter}}`, businessId);
  for (const name of pathParameters) {
    const value = input[name];
    if (typeof value !== "string" || !isSegment(value))
      return { problem: `${name} must be the id or code of a record.` };
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const query = new URLSearchParams();
  for (const name of queryParameters) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    if (typeof value === "object") return { problem: `${name} must be a single value.` };
    query.set(name, String(value));
  }
  return { path: query.size === 0 ? path : `${path}?${query}` };
}

/** Dots alone would lead to another path, and lone surrogates have no place in an address. */
const isSegment = (value: string): boolean =>
  value.length > 0 && value.length <= 128 && !/^\.+$/.test(value) && value.isWellFormed();
