import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  type ErrorCode,
  Refusal,
  type RefusalData,
  refusalIn,
  second,
  stackOf,
} from "../../shared/kernel/index.ts";
import { log } from "../runtime/log.ts";
import { templateOf } from "./request-log.ts";

const statusOf = {
  VALIDATION_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NOT_ENROLLED: 404,
  CONFLICT: 409,
  BUSINESS_RULE_VIOLATION: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

const retryableCodes: readonly ErrorCode[] = ["RATE_LIMITED", "INTERNAL", "SERVICE_UNAVAILABLE"];

/** The failure envelope (completions.md 1); `retryable` follows from the code unless the refusal says so. */
const failure = ({ code, message, context, retryable }: RefusalData) => ({
  success: false as const,
  error: {
    code,
    message,
    retryable: retryable ?? retryableCodes.includes(code),
    ...(context && { context }),
  },
});

/** A refusal as callers read it; `status` where the contract names another than its code's. */
export const refused = (
  c: Pick<Context, "json">,
  refusal: RefusalData,
  status?: ContentfulStatusCode,
): Response => c.json(failure(refusal), status ?? statusOf[refusal.code], waitOf(refusal));

/** The wait that a refusal names, in whole seconds as HTTP has it. */
const waitOf = ({ context }: RefusalData): Record<string, string> =>
  context?.retry_after_ms === undefined
    ? {}
    : { "Retry-After": String(Math.ceil(context.retry_after_ms / second)) };

export const unauthorized = (message: string) => new Refusal({ code: "UNAUTHORIZED", message });
export const forbidden = (message: string) => new Refusal({ code: "FORBIDDEN", message });

/** A body over its limit: 413, the one refusal whose status its code does not tell. */
export class BodyTooLarge extends Error {}

/**
 * The one place that answers for what was thrown: a refusal says its reason, anything else is a
 * 500 that says nothing.
 */
export function onError(error: Error, c: Context): Response {
  const refusal = refusalIn(error);
  if (refusal) return refused(c, refusal.toData());
  if (error instanceof BodyTooLarge) {
    return refused(c, bodyRefused(error), 413);
  }
  if (error instanceof HTTPException && error.status < 500) {
    return refused(c, bodyRefused(error)); // the framework's own, of a body that it could not read
  }
  log("error", "request failed", {
    request_id: c.get("requestId"),
    route: templateOf(c),
    stack: stackOf(error),
  });
  return refused(c, { code: "INTERNAL", message: "Something failed on our side; try again." });
}

const bodyRefused = ({ message }: Error): RefusalData => ({
  code: "VALIDATION_ERROR",
  message,
  context: { field: "body", issues: [{ field: "body", message }] },
});

/** For paths without a row. */
export const onNotFound = (c: Context): Response =>
  refused(c, { code: "NOT_FOUND", message: `There is no ${c.req.method} ${c.req.path}.` });
