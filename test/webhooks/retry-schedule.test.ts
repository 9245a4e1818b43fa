import { expect, it } from "vitest";
import { nextAttemptAt } from "../../shared/webhooks/retry-schedule.ts";

const firstAt = Date.UTC(2026, 10, 20);
const minutes = (count: number) => count * 60_000;

it.each([
  { count: 1, lastAt: 0, next: 1 },
  { count: 2, lastAt: 1, next: 5 },
  { count: 3, lastAt: 5, next: 15 },
  { count: 4, lastAt: 15, next: 60 },
  { count: 5, lastAt: 60, next: 360 },
  { count: 6, lastAt: 360, next: 1_440 },
])(
  "retries $next minutes after the first attempt when $count have failed",
  ({ count, lastAt, next }) => {
    const attempts = { count, firstAt, lastAt: firstAt + minutes(lastAt) };
    expect(nextAttemptAt(attempts)).toBe(firstAt + minutes(next));
  },
);

it("gives up after six retries", () => {
  expect(nextAttemptAt({ count: 7, firstAt, lastAt: firstAt + minutes(1_440) })).toBeNull();
});

it("keeps at least a minute between late retries", () => {
  const lastAt = firstAt + minutes(120);
  expect(nextAttemptAt({ count: 2, firstAt, lastAt })).toBe(lastAt + minutes(1));
});
