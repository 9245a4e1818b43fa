import { z } from "zod";

/** What the deployment answers to a call that moves a business (business/routes/moves.ts). */
export type MoveAnswer =
  | Readonly<{
      type: "moving";
      phase: string;
      rowsCopied: number;
      isOver: boolean;
      retryAfterMs: number;
    }>
  | Readonly<{ type: "refused"; isRetryable: boolean; message: string }>;

const Moving = z.object({
  success: z.literal(true),
  data: z.object({
    phase: z.string(),
    rows_copied: z.number(),
    is_over: z.boolean(),
    retry_after_ms: z.number(),
  }),
});

const Refused = z.object({
  success: z.literal(false),
  error: z.object({ message: z.string(), retryable: z.boolean() }),
});

/** Reads an answer; one that is none of the service's (a proxy's, say) is an outage when its status says so. */
export function parseMove(status: number, body: string): MoveAnswer {
  const json = jsonIn(body);
  const moving = Moving.safeParse(json);
  if (moving.success) {
    const { phase, rows_copied, is_over, retry_after_ms } = moving.data.data;
    return {
      type: "moving",
      phase,
      rowsCopied: rows_copied,
      isOver: is_over,
      retryAfterMs: retry_after_ms,
    };
  }
  const refused = Refused.safeParse(json);
  const { message, retryable } = refused.success
    ? refused.data.error
    : { message: `${status} ${body.slice(0, 300)}`, retryable: status >= 500 };
  return { type: "refused", isRetryable: retryable, message };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
