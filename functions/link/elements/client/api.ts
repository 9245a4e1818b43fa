/** A call that failed or had no response. */
export class CallError extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor({ code, message, retryable }: { code: string; message: string; retryable: boolean }) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}

/** The fields of a response. Their types are not checked. */
export type ResponseFields = Readonly<Record<string, unknown>>;

export type Tokens = Readonly<{ session_token: string; refresh_token: string; expires_in: number }>;

type CallOptions = Readonly<{
  body?: Readonly<Record<string, string | boolean | null | Readonly<Record<string, string>>>>;
  sessionToken?: string | null;
  idempotencyKey?: string;
}>;

const prefix = "/v1/link";

/** The publishable key for which the frame was served. */
const publicKey = () => new URLSearchParams(location.search).get("public_key") ?? "";

/** @throws CallError */
export async function call(
  method: "GET" | "POST" | "DELETE",
  path: string,
  options: CallOptions = {},
): Promise<ResponseFields> {
  const { body, sessionToken, idempotencyKey } = options;
  const response = await fetch(prefix + path, {
    method,
    credentials: "omit",
    headers: {
      "X-Public-Key": publicKey(),
      ...(sessionToken && { Authorization: `Bearer ${sessionToken}` }),
      ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null);
  const fields = fieldsOf(await response?.json().catch(() => null));
  if (response?.ok) return fields;
  const { code, message, retryable } = fieldsOf(fields.error);
  throw new CallError({
    code: textOf(code) || "SERVICE_UNAVAILABLE",
    message: textOf(message) || "There was no response. Try again.",
    retryable: retryable !== false,
  });
}

/**
 * Exchanges a refresh token for new tokens. A refresh token works only once. When no response
 * arrives, the call is repeated with the same Idempotency-Key, which returns the same tokens.
 *
 * @throws CallError
 */
export async function refreshTokens(refreshToken: string): Promise<Tokens> {
  const idempotencyKey = randomKey();
  const sendRefresh = () =>
    call("POST", "/elements/refresh", { body: { refresh_token: refreshToken }, idempotencyKey });
  const fields = await sendRefresh().catch((error: unknown) => {
    if (error instanceof CallError && error.retryable) return sendRefresh();
    throw error;
  });
  return tokensOf(fields);
}

export const tokensOf = ({ session_token, refresh_token, expires_in }: ResponseFields): Tokens => ({
  session_token: textOf(session_token),
  refresh_token: textOf(refresh_token),
  expires_in: Number(expires_in),
});

export const fieldsOf = (value: unknown): ResponseFields =>
  typeof value === "object" && value !== null ? { ...value } : {};

export const listOf = (value: unknown): ResponseFields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

/** The value if it is a string, otherwise "". */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
