import { describe, expect, it } from "vitest";
import { anchorsOf, referenceBreaches } from "../../scripts/check/references.ts";

const documents: Record<string, string> = {
  "docs/contract/orders.md": '<a id="cancel"></a>\n## Cancelling an order\n',
  "shared/orders/order.ts": "",
};

const messagesFor = (path: string, text: string): string[] =>
  referenceBreaches(new Map(Object.entries({ ...documents, [path]: text }))).map(
    ({ line, message }) => `${line} ${message}`,
  );

describe("references in code", () => {
  it.each([
    { text: "// docs/contract/orders.md" },
    { text: "// docs/contract/orders.md#cancel" },
    { text: "// docs/contract/orders.md#cancelling-an-order" },
    { text: "// shared/orders/order.ts has the states." },
  ])("accepts $text", ({ text }) => {
    expect(messagesFor("shared/a.ts", text)).toEqual([]);
  });

  it.each([
    {
      text: "\n// docs/contract/carts.md",
      message: "2 docs/contract/carts.md does not exist.",
    },
    {
      text: "// docs/contract/orders.md#refund",
      message: "1 docs/contract/orders.md has no anchor #refund.",
    },
    { text: "// shared/orders/gone.ts", message: "1 shared/orders/gone.ts does not exist." },
    {
      text: `// ${"completions"}.md 6`,
      message: `1 ${"completions"}.md is not in the repository; refer to docs/contract instead.`,
    },
  ])("refuses $text", ({ text, message }) => {
    expect(messagesFor("shared/a.ts", text)).toEqual([message]);
  });
});

describe("links in Markdown", () => {
  it.each([
    { text: "[orders](contract/orders.md#cancel)" },
    { text: "[contract](contract)" },
    { text: "[below](#below)\n## Below" },
    { text: "[site](https://example.com/x.md#y)" },
  ])("accepts $text", ({ text }) => {
    expect(messagesFor("docs/index.md", text)).toEqual([]);
  });

  it.each([
    { text: "[orders](orders.md)", message: "1 docs/orders.md does not exist." },
    { text: "[below](#below)", message: "1 docs/index.md has no anchor #below." },
  ])("refuses $text", ({ text, message }) => {
    expect(messagesFor("docs/index.md", text)).toEqual([message]);
  });
});

describe("anchorsOf", () => {
  it("has explicit anchors and those of headings", () => {
    expect([...anchorsOf('<a id="x-y"></a>\n# Money & time, in *short*\n')]).toEqual([
      "x-y",
      "money--time-in-short",
    ]);
  });
});
