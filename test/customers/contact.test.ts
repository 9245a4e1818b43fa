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

  it("an address of accented letters is one, however its letters are put together", () => {
    const composed = { type: "email", value: "zo\u00eb@ex\u00e4mple.com" };
    expect(read("zoe\u0308@exa\u0308mple.com")).toEqual(composed);
    expect(read("ZO\u00cb@EX\u00c4MPLE.com")).toEqual(composed);
  });

  it.each([
    ["no-break", "a\u200bma@example.com"],
    ["direction", "ama\u202e@example.com"],
    ["soft hyphen", "ama@exam\u00adple.com"],
    ["replacement", "\ufffd@example.com"],
  ])("an address with a sign that nobody sees or that stands for none (%s) is none", (_, email) => {
    expect(fieldRefused(() => read(email))).toBe("contact");
  });

  it.each([
    "ama@example..com",
    "ama@.example.com",
    "ama@example.com?subject=x",
    "ama@example.com%0abcc",
    "ama@-example.com",
    "ama@exam_ple.com/x",
    "ama@127.0.0.1",
    `ama@${"a".repeat(64)}.com`,
  ])("%j has no domain to write to, and is none", (email) => {
    expect(fieldRefused(() => read(email))).toBe("contact");
  });

  it.each([
    "ama+shop@mail.example.co.uk",
    "o'neill@example.com",
    "a@xn--bcher-kva.example",
    "ama@b\u00fccher.example",
    "ama@paral\u00b7lel.example",
    "ama@\u30bd\u30cb\u30fc\u30fb\u30de.example",
    "user@example.com",
  ])("%j is one", (email) => {
    expect(read(email)).toEqual({ type: "email", value: email });
  });

  it.each(["+233241234567;ext=5", "+233241234567 x55"])(
    "%j is none: no message reaches an extension",
    (phone) => {
      expect(fieldRefused(() => read(phone))).toBe("contact");
    },
  );

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
