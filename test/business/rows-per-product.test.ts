import { expect, it } from "vitest";
import { paidFor } from "../support/rows-read.ts";
import { fileOf, sent } from "./files.ts";
import { created, shopAndAsk } from "./given-product.ts";

/** Rows of indexes, facets and the search count, and so do the version and the audit. */
const most = {
  created: 56,
  renamed: 14,
  retagged: 28,
  priced: 29,
  archived: 32,
  imported: 84,
  "imported with another tag": 46,
};

const threeMugs = (tags: string): string =>
  fileOf(...[1, 2, 3].map((n) => `mug-${n},Mug ${n},"${tags}",true,,,S${n},,5`));

it("a product is written in no more rows than are read again", async () => {
  const { shop, ask } = await shopAndAsk();
  let path = "";
  const patch = (body: object) => () => ask("PATCH", path, { body });
  const steps: Record<keyof typeof most, () => Promise<unknown>> = {
    created: async () => {
      path = `/products/${(await created(ask)).id}`;
    },
    renamed: patch({ name: "Green tea" }),
    retagged: patch({ tags: ["green", "cold"] }),
    priced: patch({ default_price: "9" }),
    archived: () => ask("DELETE", path),
    imported: () => sent(shop, threeMugs("a, b")),
    "imported with another tag": () => sent(shop, threeMugs("a, c")),
  };
  for (const [name, step] of Object.entries(steps)) {
    const { rowsWritten } = await paidFor(step);
    expect(rowsWritten, name).toBeLessThanOrEqual(most[name as keyof typeof most]); // safe: its keys
  }
});
