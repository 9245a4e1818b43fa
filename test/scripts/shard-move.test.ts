import { describe, expect, it } from "vitest";
import { parseMove } from "../../scripts/shard-move/answer.ts";

describe("what the service answers to a move", () => {
  it("is how far it came", () => {
    const data = { phase: "copying", rows_copied: 7, is_over: false, retry_after_ms: 0 };
    expect(parseMove(200, JSON.stringify({ success: true, data }))).toEqual({
      type: "moving",
      phase: "copying",
      rowsCopied: 7,
      isOver: false,
      retryAfterMs: 0,
    });
  });

  it("is a refusal, and whether to ask again", () => {
    const error = { code: "CONFLICT", message: "Another call goes on.", retryable: true };
    expect(parseMove(409, JSON.stringify({ success: false, error }))).toEqual({
      type: "refused",
      isRetryable: true,
      message: "Another call goes on.",
    });
  });

  it.each([
    [502, true],
    [404, false],
  ])("is an outage when somebody else answers %s: %s", (status, isRetryable) => {
    expect(parseMove(status, "<html>")).toMatchObject({ type: "refused", isRetryable });
  });
});
