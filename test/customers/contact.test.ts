import { describe, expect, it } from "vitest";
import { type ContactType, readContact } from "../../shared/customers/index.ts";
import { Refusal } from "../../shared/kernel/index.ts";

const read = (contact: string, contactType?: ContactType, country = "GH") =>
  readContact({ contact, contactType }, country);

function fieldRefused(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error.context?.field;
  }
  return null;
}

describe("a contact as a caller writes it (completions.md 3)", () => {
  it.each([
    ["0241234567", "GH", "+233241234567"],
    [" 024 123 4567 ", "GH", "+233241234567"],
    ["+233241234567", "KE", "+233241234567"],
    ["0712 345678", "KE", "+254712345678"],
  ])("%j in %s is the phone %s", (contact, country, value) => {
    expect(read(contact, undefined, country)).toEqual({ type: "phone", value });
    expect(read(contact, "phone", country)).toEqual({ type: "phone", value });
  });

  it("an e-mail address counts in lower case", () => {
    expect(read(" Ama.Mensah@Example.COM ")).toEqual({
      type: "email",
      value: "ama.mensah@example.com",
    });
  });

  it.each(["", "ama", "ama@", "@example.com", "a b@example.com", "12", "call 0241234567 now"])(
    "%j is none",
    (contact) => {
      expect(fieldRefused(() => read(contact))).toBe("contact");
    },
  );

  it("is none when it is longer than an address may be", () => {
    expect(fieldRefused(() => read(`${"a".repeat(250)}@example.com`))).toBe("contact");
  });

  it("has to be of the type that is named", () => {
    expect(fieldRefused(() => read("0241234567", "email"))).toBe("contact_type");
    expect(fieldRefused(() => read("ama@example.com", "phone"))).toBe("contact_type");
  });
});
