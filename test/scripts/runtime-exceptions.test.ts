import { expect, it } from "vitest";
import { isUnexpectedException } from "../support/runtime-exceptions.ts";

it.each([
  "uncaught exception; source = Uncaught (in promise); stack = TypeError: a is undefined\n    at load (/duka/shared/cart/repo.ts:1:2)",
  "uncaught exception; source = Uncaught (in promise); stack = Error: internal error; reference = abc",
  "exception = workerd/io/worker.c++:1: failed: expected x == y",
])("fails the run for %j", (text) => {
  expect(isUnexpectedException(text)).toBe(true);
});

it.each([
  "uncaught exception; exception = workerd/api/actor-state.c++:1: failed: broken.outputGateBroken; jsg.Error: The object died.",
  "uncaught exception; source = Uncaught (in promise); stack = Error: not now\n    at /duka/test/personal-data/conversations.test.ts:97:30",
  "uncaught exception; source = Uncaught (in promise); stack = Error: Network connection lost.",
  "uncaught exception; source = Uncaught (in promise); stack = TypeError: Can't read from request stream because client disconnected.",
  "exception = kj/async-io.c++:2008: disconnected: fixed-length pipe ended prematurely",
  '{"level":"error","what":"request failed"}',
])("accepts %j", (text) => {
  expect(isUnexpectedException(text)).toBe(false);
});
