import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  type ErrorCode,
  findRefusal,
  Refusal,
  type RefusalData,
  second,
  stackOf,
} from "../../shared/kernel/index.ts";
import { log } from "../runtime/log.ts";
import { routePathOf } from "./request-log.ts";

const statusByCode = {
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

/** The status of a refusal. */
export const statusOf = ({ code }: Pick<Refusal, "code">): ContentfulStatusCode =>
  statusByCode[code];

const retryableCodes: readonly ErrorCode[] = ["RATE_LIMITED", "INTERNAL", "SERVICE_UNAVAILABLE"];

/** The failure envelope. `retryable` follows from the code unless the refusal sets it. */
const errorEnvelope = ({ code, message, context, retryable }: RefusalData) => ({
  success: false as const,
  error: {
    code,
    message,
    retryable: retryable ?? retryableCodes.includes(code),
    ...(context && { context }),
  },
});

/** Responds with a refusal; `status` overrides the status of its code. */
export const respondWithRefusal = (
  c: Pick<Context, "json">,
  refusal: RefusalData,
  status?: ContentfulStatusCode,
): Response =>
  c.json(errorEnvelope(refusal), status ?? statusByCode[refusal.code], retryAfterHeader(refusal));

/**
 * The Retry-After header in whole seconds. Empty when the refusal does not say how long to wait.
 */
const retryAfterHeader = ({ context }: RefusalData): Record<string, string> =>
  context?.retry_after_ms === undefined
    ? {}
    : { "Retry-After": String(Math.ceil(context.retry_after_ms / second)) };

export const unauthorized = (message: string) => new Refusal({ code: "UNAUTHORIZED", message });
export const forbidden = (message: string) => new Refusal({ code: "FORBIDDEN", message });

/**
 * The body is larger than allowed. Sent as 413, a status that no refusal code stands for.
 */
export class BodyTooLarge extends Error {
  /** The part of the body that is too large. */
  readonly field: string;

  constructor(message: string, field = "body") {
    super(message);
    this.field = field;
  }
}

/** The body did not arrive in time. Sent as 408, the status that says so. */
export class BodyTooSlow extends Error {
  constructor() {
    super("The body did not arrive in time. Send it again, without pauses.");
  }
}

/**
 * Turns any error into a response. A refusal is explained to the caller; other errors are sent as a
 * 500 without details.
 */
export function onError(error: Error, c: Context): Response {
  const refusal = findRefusal(error);
  if (refusal) return respondWithRefusal(c, refusal.toData());
  if (error instanceof BodyTooLarge) {
    return respondWithRefusal(c, invalidBody(error, error.field), 413);
  }
  if (error instanceof BodyTooSlow) {
    return respondWithRefusal(c, { ...invalidBody(error), retryable: true }, 408);
  }
  if (error instanceof HTTPException && error.status < 500) {
    // The framework throws this error for a body that it cannot parse.
    return respondWithRefusal(c, invalidBody(error));
  }
  log("error", "request failed", {
    request_id: c.get("requestId"),
    route: routePathOf(c),
    stack: stackOf(error),
  });
  return respondWithRefusal(c, {
    code: "INTERNAL",
    message: "Something failed on our side; try again.",
  });
}

const invalidBody = ({ message }: Error, field = "body"): RefusalData => ({
  code: "VALIDATION_ERROR",
  message,
  context: { field, issues: [{ field, message }] },
});

/** Responds to a path without a route. */
export const onNotFound = (c: Context): Response =>
  respondWithRefusal(c, {
    code: "NOT_FOUND",
    message: `There is no ${c.req.method} ${c.req.path}.`,
  });
