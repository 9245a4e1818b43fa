import { describe, expect, it } from "vitest";
import { type ContactType, normalizeContact } from "../../shared/customers/index.ts";
import { Refusal } from "../../shared/kernel/index.ts";

const read = (contact: string, contactType?: ContactType, country = "GH") =>
  normalizeContact({ contact, contactType }, country);

function fieldRefused(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error.context?.field;
  }
  return null;
}

describe("normalizeContact", () => {
  it.each([
    ["0241234567", "GH", "+233241234567"],
    [" 024 123 4567 ", "GH", "+233241234567"],
    ["+233241234567", "KE", "+233241234567"],
    ["0712 345678", "KE", "+254712345678"],
  ])("reads %j in %s as the phone number %s", (contact, country, value) => {
    expect(read(contact, undefined, country)).toEqual({ type: "phone", value });
    expect(read(contact, "phone", country)).toEqual({ type: "phone", value });
  });

  it("converts e-mail addresses to lower case", () => {
    expect(read(" Ama.Mensah@Example.COM ")).toEqual({
      type: "email",
      value: "ama.mensah@example.com",
    });
  });

  it("treats composed and decomposed accents as equal", () => {
    const composed = { type: "email", value: "zo\u00eb@ex\u00e4mple.com" };
    expect(read("zoe\u0308@exa\u0308mple.com")).toEqual(composed);
    expect(read("ZO\u00cb@EX\u00c4MPLE.com")).toEqual(composed);
  });

  it.each([
    ["no-break", "a\u200bma@example.com"],
    ["direction", "ama\u202e@example.com"],
    ["soft hyphen", "ama@exam\u00adple.com"],
    ["replacement", "\ufffd@example.com"],
  ])("rejects an address with an invisible or replacement character (%s)", (_, email) => {
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
  ])("rejects %j, which has no valid domain", (email) => {
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
  ])("accepts %j", (email) => {
    expect(read(email)).toEqual({ type: "email", value: email });
  });

  it.each(["+233241234567;ext=5", "+233241234567 x55"])(
    "rejects %j, because no message reaches an extension",
    (phone) => {
      expect(fieldRefused(() => read(phone))).toBe("contact");
    },
  );

  it.each(["", "ama", "ama@", "@example.com", "a b@example.com", "12", "call 0241234567 now"])(
    "rejects %j",
    (contact) => {
      expect(fieldRefused(() => read(contact))).toBe("contact");
    },
  );

  it("rejects an address that is too long", () => {
    expect(fieldRefused(() => read(`${"a".repeat(250)}@example.com`))).toBe("contact");
  });

  it("must match the given type", () => {
    expect(fieldRefused(() => read("0241234567", "email"))).toBe("contact_type");
    expect(fieldRefused(() => read("ama@example.com", "phone"))).toBe("contact_type");
  });
});
