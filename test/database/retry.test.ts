import { describe, expect, it } from "vitest";
import { retryOnConflict } from "../../shared/database/index.ts";
import { conflict, notFound, type Refusal } from "../../shared/kernel/index.ts";

/** Runs attempts that fail with `refusal` until the given one; returns the result and their numbers. */
async function runAttempts(refusal: Refusal, succeedsAt: number) {
  const numbers: number[] = [];
  const result = await retryOnConflict(async (number) => {
    numbers.push(number);
    if (number < succeedsAt) throw refusal;
    return "done";
  }).catch((error: unknown) => error);
  return { result, numbers };
}

describe("retryOnConflict", () => {
  const lostRace = conflict("It changed meanwhile.", { retryable: true });

  it("runs again after a retryable conflict", async () => {
    expect(await runAttempts(lostRace, 3)).toEqual({ result: "done", numbers: [1, 2, 3] });
  });

  it("throws the conflict of the fifth attempt", async () => {
    expect(await runAttempts(lostRace, 6)).toEqual({ result: lostRace, numbers: [1, 2, 3, 4, 5] });
  });

  it.each([conflict("Another record has this slug."), notFound("product")])(
    "does not retry %s",
    async (refusal) => {
      expect(await runAttempts(refusal, 2)).toEqual({ result: refusal, numbers: [1] });
    },
  );
});
