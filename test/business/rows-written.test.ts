import { expect, it } from "vitest";
import { measureD1Usage } from "../support/d1-usage.ts";
import { createShop, postProduct } from "./create-product.ts";
import { importFile, productCsv } from "./product-files.ts";

/** Including rows of indexes, facets, search, version and audit. */
const maxRowsWritten = {
  created: 57,
  renamed: 14,
  retagged: 28,
  priced: 29,
  archived: 32,
  imported: 87,
  "imported with another tag": 46,
};

const threeMugs = (tags: string): string =>
  productCsv(...[1, 2, 3].map((n) => `mug-${n},Mug ${n},"${tags}",true,,,S${n},,5`));

it("writes no more rows for a product than allowed", async () => {
  const { shop, ask } = await createShop();
  let path = "";
  const patch = (body: object) => () => ask("PATCH", path, { body });
  const create = async () => {
    path = `/products/${(await postProduct(ask)).id}`;
  };
  const steps: Record<keyof typeof maxRowsWritten, () => Promise<unknown>> = {
    created: create,
    renamed: patch({ name: "Green tea" }),
    retagged: patch({ tags: ["green", "cold"] }),
    priced: patch({ default_price: "9" }),
    archived: () => ask("DELETE", path),
    imported: () => importFile(shop, threeMugs("a, b")),
    "imported with another tag": () => importFile(shop, threeMugs("a, c")),
  };
  for (const [name, step] of Object.entries(steps)) {
    const { rowsWritten } = await measureD1Usage(step);
    expect(rowsWritten, name).toBeLessThanOrEqual(
      maxRowsWritten[name as keyof typeof maxRowsWritten],
    ); // safe: its keys
  }
});
