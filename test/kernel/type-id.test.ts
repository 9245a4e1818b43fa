import { describe, expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { createIdGenerator, parseTypeId, toTypeId } from "../../shared/kernel/index.ts";

const bytesOf = (uuid: string): Uint8Array =>
  Uint8Array.from(uuid.replaceAll("-", "").match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));

// Examples of the TypeID specification.
const examples = [
  ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
  ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
  ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
  ["00000000-0000-0000-0000-000000000010", "0000000000000000000000000g"],
  ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs"],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q"],
] as const;

describe("a TypeID", () => {
  it.each(examples)("of %s ends with %s", (uuid, suffix) => {
    expect(toTypeId("prefix", bytesOf(uuid))).toBe(`prefix_${suffix}`);
    expect(parseTypeId(`prefix_${suffix}`)).toEqual(bytesOf(uuid));
  });

  it("of random bytes has the same bytes when it is parsed", () => {
    for (let run = 0; run < 1_000; run += 1) {
      const uuid = new Uint8Array(16);
      runtime.randomBytes(uuid);
      expect(parseTypeId(toTypeId("ses", uuid))).toEqual(uuid);
    }
  });

  it.each([
    "",
    "ses_",
    "ses_0000000000000000000000000",
    "ses_000000000000000000000000000",
    "ses_8zzzzzzzzzzzzzzzzzzzzzzzzz",
    "ses_0000000000000000000000000i",
    "ses_0123456789ABCDEFGHJKMNPQRS",
  ])("is not %j", (text) => {
    expect(() => parseTypeId(text)).toThrow("Not a TypeID.");
  });

  it("sorts by the time of its creation", () => {
    let now = Date.UTC(2026, 10, 24);
    const newId = createIdGenerator(
      () => now,
      (bytes) => runtime.randomBytes(bytes),
    );
    const ids = Array.from({ length: 20 }, (_, index) => {
      now += index % 3;
      return newId("ord");
    });
    expect(ids).toEqual([...ids].sort());
  });
});
