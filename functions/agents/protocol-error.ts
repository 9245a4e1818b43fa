import { type ErrorCode, findRefusal, second } from "../../shared/kernel/index.ts";
import { BodyTooLarge, BodyTooSlow } from "../http/errors.ts";

/** The errors of the protocol, each with its HTTP status and its code in JSON-RPC. */
const protocolErrors = {
  invalid_profile_url: { status: 400, rpcCode: -32001 },
  profile_unreachable: { status: 424, rpcCode: -32001 },
  profile_malformed: { status: 422, rpcCode: -32001 },
  version_unsupported: { status: 422, rpcCode: -32001 },
  signature_missing: { status: 401, rpcCode: -32000 },
  signature_invalid: { status: 401, rpcCode: -32000 },
  key_not_found: { status: 401, rpcCode: -32000 },
  digest_mismatch: { status: 400, rpcCode: -32600 },
  algorithm_unsupported: { status: 400, rpcCode: -32600 },
  unauthorized: { status: 401, rpcCode: -32000 },
  identity_required: { status: 401, rpcCode: -32000 },
  insufficient_scope: { status: 403, rpcCode: -32000 },
  forbidden: { status: 403, rpcCode: -32000 },
  not_found: { status: 404, rpcCode: -32000 },
  conflict: { status: 409, rpcCode: -32000 },
  invalid_request: { status: 400, rpcCode: -32602 },
  unprocessable: { status: 422, rpcCode: -32602 },
  request_too_large: { status: 400, rpcCode: -32602 },
  method_not_allowed: { status: 405, rpcCode: -32601 },
  body_too_large: { status: 413, rpcCode: -32600 },
  body_too_slow: { status: 408, rpcCode: -32600 },
  rate_limited: { status: 429, rpcCode: -32000 },
  internal_error: { status: 500, rpcCode: -32603 },
  service_unavailable: { status: 503, rpcCode: -32000 },
} as const;

export type ProtocolErrorCode = keyof typeof protocolErrors;

/** An error that a call gets instead of an answer of its operation (docs/agents.md#errors). */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode;
  /** Where a person can go on; null when no page helps. */
  readonly continueUrl: string | null;
  /** How long to wait before another attempt, in seconds; null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** The WWW-Authenticate header; null for the usual one. */
  readonly challenge: string | null;

  constructor(
    code: ProtocolErrorCode,
    content: string,
    {
      continueUrl = null,
      retryAfterSeconds = null,
      challenge = null,
    }: Partial<Pick<ProtocolError, "continueUrl" | "retryAfterSeconds" | "challenge">> = {},
  ) {
    super(content);
    this.name = "ProtocolError";
    this.code = code;
    this.continueUrl = continueUrl;
    this.retryAfterSeconds = retryAfterSeconds;
    this.challenge = challenge;
  }

  get status() {
    return protocolErrors[this.code].status;
  }

  get rpcCode() {
    return protocolErrors[this.code].rpcCode;
  }

  /** The body of a response over REST, and `error.data` in JSON-RPC. */
  toBody(): Readonly<Record<string, unknown>> {
    if (this.code === "identity_required" || this.code === "insufficient_scope")
      return { messages: [this.toMessage(this.code)] };
    return {
      code: this.code,
      content: this.message,
      ...(this.continueUrl !== null && { continue_url: this.continueUrl }),
      ...(this.retryAfterSeconds !== null && { retry_after: this.retryAfterSeconds }),
    };
  }

  /** The form that identity linking prescribes for its errors. */
  private toMessage(code: string) {
    return { type: "error", code, content: this.message, severity: "requires_buyer_review" };
  }
}

const codeByRefusal = {
  VALIDATION_ERROR: "invalid_request",
  BAD_REQUEST: "invalid_request",
  UNAUTHORIZED: "unauthorized",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not_found",
  NOT_ENROLLED: "not_found",
  CONFLICT: "conflict",
  BUSINESS_RULE_VIOLATION: "unprocessable",
  RATE_LIMITED: "rate_limited",
  INTERNAL: "internal_error",
  SERVICE_UNAVAILABLE: "service_unavailable",
} as const satisfies Record<ErrorCode, ProtocolErrorCode>;

/**
 * The protocol's error for anything that was thrown. Null for what nobody expects, which is logged
 * and says nothing to the caller.
 */
export function toProtocolError(error: unknown): ProtocolError | null {
  if (error instanceof ProtocolError) return error;
  if (error instanceof BodyTooLarge) return new ProtocolError("body_too_large", error.message);
  if (error instanceof BodyTooSlow) return new ProtocolError("body_too_slow", error.message);
  const refusal = findRefusal(error);
  if (!refusal) return null;
  const { code, message, context } = refusal;
  const waitMs = context?.retry_after_ms ?? (code === "SERVICE_UNAVAILABLE" ? second : null);
  return new ProtocolError(codeByRefusal[code], message, {
    retryAfterSeconds: waitMs === null ? null : Math.ceil(waitMs / second),
  });
}
