/** A call that was refused, or had no answer: then it may be tried again. */
export class CallError extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor({ code, message, retryable }: { code: string; message: string; retryable: boolean }) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}

/** Fields of an answer: whoever reads one says what it has to be. */
export type Fields = Readonly<Record<string, unknown>>;

export type Tokens = Readonly<{ session_token: string; refresh_token: string; expires_in: number }>;

type Call = Readonly<{
  body?: Readonly<Record<string, string>>;
  sessionToken?: string | null;
  idempotencyKey?: string;
}>;

const prefix = "/v1/link";

/** The publishable key for which the frame was served. */
const publicKey = () => new URLSearchParams(location.search).get("public_key") ?? "";

/** @throws CallError */
export async function call(
  method: "GET" | "POST",
  path: string,
  options: Call = {},
): Promise<Fields> {
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
  const answer = fieldsOf(await response?.json().catch(() => null));
  if (response?.ok) return answer;
  const { code, message, retryable } = fieldsOf(answer.error);
  throw new CallError({
    code: textOf(code) || "SERVICE_UNAVAILABLE",
    message: textOf(message) || "There was no answer; try again.",
    retryable: retryable !== false,
  });
}

/**
 * The next pair for a token that works once. When there is no answer, it is asked for a second time
 * under the same key, and answered with the same pair.
 *
 * @throws CallError
 */
export async function refreshTokens(refreshToken: string): Promise<Tokens> {
  const idempotencyKey = randomKey();
  const ask = () =>
    call("POST", "/elements/refresh", { body: { refresh_token: refreshToken }, idempotencyKey });
  const answer = await ask().catch((error: unknown) => {
    if (error instanceof CallError && error.retryable) return ask();
    throw error;
  });
  return tokensOf(answer);
}

export const tokensOf = ({ session_token, refresh_token, expires_in }: Fields): Tokens => ({
  session_token: textOf(session_token),
  refresh_token: textOf(refresh_token),
  expires_in: Number(expires_in),
});

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};

export const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

/** Empty for what is missing. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
