import { describe, expect, it } from "vitest";
import { parseMoveResponse } from "../../scripts/shard-move/response.ts";

describe("parseMoveResponse", () => {
  it("reads the progress of the move", () => {
    const data = { phase: "copying", rows_copied: 7, is_over: false, retry_after_ms: 0 };
    expect(parseMoveResponse(200, JSON.stringify({ success: true, data }))).toEqual({
      type: "moving",
      phase: "copying",
      rowsCopied: 7,
      isComplete: false,
      retryAfterMs: 0,
    });
  });

  it("reads a refusal and whether it may be retried", () => {
    const error = { code: "CONFLICT", message: "Another call is advancing it.", retryable: true };
    expect(parseMoveResponse(409, JSON.stringify({ success: false, error }))).toEqual({
      type: "refused",
      isRetryable: true,
      message: "Another call is advancing it.",
    });
  });

  it.each([
    [502, true],
    [404, false],
  ])("reads a foreign response with status %s as retryable: %s", (status, isRetryable) => {
    expect(parseMoveResponse(status, "<html>")).toMatchObject({ type: "refused", isRetryable });
  });
});
