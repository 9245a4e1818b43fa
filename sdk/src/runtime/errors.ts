/** What an answer says about a failure. */
export type ErrorFacts = Readonly<{
  /** The API's error code, or CONNECTION_FAILED or TIMEOUT when there was no answer. */
  code: string;
  message: string;
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  /** Whether the same call may succeed later. */
  retryable: boolean;
  context?: Readonly<Record<string, unknown>> | undefined;
  requestId?: string | null | undefined;
  /** Milliseconds after which the call may be repeated, as the API says it. */
  retryAfterMs?: number | undefined;
}>;

/** A fault of one field of the request. */
export type FieldIssue = Readonly<{ field: string; message: string }>;

/** Every failed call throws one. The subclass follows from the code. */
export class DukaError extends Error {
  override readonly name: string = "DukaError";
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  /** Facts about the error, as the operation documents them. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Names the call in the service's log. Null when there was no answer. */
  readonly requestId: string | null;
  readonly retryAfterMs: number | undefined;

  constructor(facts: ErrorFacts, options?: { cause?: unknown }) {
    super(facts.message, options);
    this.code = facts.code;
    this.status = facts.status;
    this.retryable = facts.retryable;
    this.context = facts.context ?? {};
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs;
  }

  /** The first field that is wrong, such as `customer.email`. */
  get field(): string | undefined {
    return textOf(this.context.field);
  }

  /** All fields that are wrong. */
  get issues(): readonly FieldIssue[] {
    const { issues } = this.context;
    return Array.isArray(issues) ? issues : [];
  }

  /** The rule that forbids the call, such as OUT_OF_STOCK. */
  get rule(): string | undefined {
    return textOf(this.context.rule);
  }
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** 400, 408, 413: a field, a header or the body is wrong. `issues` names each. */
export class ValidationError extends DukaError {
  override readonly name = "ValidationError";
}
/** 400: an empty support message, or a file that is confirmed before its bytes arrived. */
export class BadRequestError extends DukaError {
  override readonly name = "BadRequestError";
}
/** 401: the key, the session, the code or the token is missing or wrong. */
export class UnauthorizedError extends DukaError {
  override readonly name = "UnauthorizedError";
}
/** 403: the credential is valid and not allowed to do this. */
export class ForbiddenError extends DukaError {
  override readonly name = "ForbiddenError";
}
/** 404: the record does not exist, or is not the caller's. */
export class NotFoundError extends DukaError {
  override readonly name = "NotFoundError";
}
/** 404 of Link: the customer is not enrolled. */
export class NotEnrolledError extends DukaError {
  override readonly name = "NotEnrolledError";
}
/** 409: a duplicate, a reused key, or a change that collides with another. */
export class ConflictError extends DukaError {
  override readonly name = "ConflictError";
}
/** 422: a valid request that a rule forbids. `rule` names the rule. */
export class BusinessRuleError extends DukaError {
  override readonly name = "BusinessRuleError";
}
/** 429: too many requests. `retryAfterMs` says when the next one may come. */
export class RateLimitedError extends DukaError {
  override readonly name = "RateLimitedError";
}
/** 500: the service failed. */
export class InternalError extends DukaError {
  override readonly name = "InternalError";
}
/** 503: a subsystem did not answer, or a payment was declined (`context.reason`). */
export class ServiceUnavailableError extends DukaError {
  override readonly name = "ServiceUnavailableError";
}
/** There was no answer. Whether the call was carried out is unknown. */
export class ConnectionError extends DukaError {
  override readonly name: string = "ConnectionError";

  constructor(cause: unknown) {
    super(noAnswer("CONNECTION_FAILED", "The service could not be reached."), { cause });
  }
}
/** There was no answer within the timeout. Whether the call was carried out is unknown. */
export class TimeoutError extends DukaError {
  override readonly name = "TimeoutError";

  constructor(timeoutMs: number) {
    super(noAnswer("TIMEOUT", `The service did not answer within ${timeoutMs} ms.`));
  }
}

const noAnswer = (code: string, message: string) => ({ code, message, status: 0, retryable: true });

const classes: Readonly<Record<string, typeof DukaError | undefined>> = {
  VALIDATION_ERROR: ValidationError,
  BAD_REQUEST: BadRequestError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  NOT_ENROLLED: NotEnrolledError,
  CONFLICT: ConflictError,
  BUSINESS_RULE_VIOLATION: BusinessRuleError,
  RATE_LIMITED: RateLimitedError,
  INTERNAL: InternalError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
};

/** The error for a code. A code that this version does not know is a DukaError. */
export const toError = (facts: ErrorFacts): DukaError =>
  new (classes[facts.code] ?? DukaError)(facts);
