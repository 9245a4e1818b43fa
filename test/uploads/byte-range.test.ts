import { expect, it } from "vitest";
import { rangeOf } from "../../shared/uploads/index.ts";

it.each([
  ["bytes=0-0", { offset: 0, length: 1 }],
  ["bytes=2-4", { offset: 2, length: 3 }],
  ["bytes=7-", { offset: 7, length: 3 }],
  ["bytes=8-99", { offset: 8, length: 2 }],
  ["bytes=-3", { offset: 7, length: 3 }],
  ["bytes=-99", { offset: 0, length: 10 }],
  ["BYTES=2-4", { offset: 2, length: 3 }],
])("reads %s of ten bytes", (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range);
});

it.each(["bytes=10-", "bytes=10-12", "bytes=-0"])("cannot satisfy %s of ten bytes", (header) => {
  expect(rangeOf(header, 10)).toBe("unsatisfiable");
});

it.each([undefined, "", "bytes=-", "bytes=4-2", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5"])(
  "takes %j for the whole file",
  (header) => {
    expect(rangeOf(header, 10)).toBeNull();
  },
);

it("has no part of an empty file to give, but its last bytes are all of it", () => {
  expect(rangeOf("bytes=0-", 0)).toBe("unsatisfiable");
  expect(rangeOf("bytes=-0", 0)).toBe("unsatisfiable");
  expect(rangeOf("bytes=-1", 0)).toBeNull();
});
