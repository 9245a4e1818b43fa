import { z } from "zod";

/** The parsed response to `POST /v1/businesses/{business_id}/move`. */
export type MoveResponse =
  | Readonly<{
      type: "moving";
      phase: string;
      rowsCopied: number;
      isComplete: boolean;
      retryAfterMs: number;
    }>
  | Readonly<{ type: "refused"; isRetryable: boolean; message: string }>;

const MoveProgressBody = z.object({
  success: z.literal(true),
  data: z.object({
    phase: z.string(),
    rows_copied: z.number(),
    is_over: z.boolean(),
    retry_after_ms: z.number(),
  }),
});

const RefusalBody = z.object({
  success: z.literal(false),
  error: z.object({ message: z.string(), retryable: z.boolean() }),
});

/**
 * Parses a response. A response of a proxy, which Duka did not send, is retryable when it is a 5xx.
 */
export function parseMoveResponse(status: number, body: string): MoveResponse {
  const json = parseJson(body);
  const progress = MoveProgressBody.safeParse(json);
  if (progress.success) {
    const { phase, rows_copied, is_over, retry_after_ms } = progress.data.data;
    return {
      type: "moving",
      phase,
      rowsCopied: rows_copied,
      isComplete: is_over,
      retryAfterMs: retry_after_ms,
    };
  }
  const refusal = RefusalBody.safeParse(json);
  const { message, retryable } = refusal.success
    ? refusal.data.error
    : { message: `${status} ${body.slice(0, 300)}`, retryable: status >= 500 };
  return { type: "refused", isRetryable: retryable, message };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
