import type { ApiClient } from "./api-client.ts";

const productsPerFile = 10_000;
const header = "Handle,Title,Body (HTML),Tags,Published,Variant SKU,Variant Price,Image Src";
const description = "Heavy cotton, cut straight, better after the tenth wash. ".repeat(4).trim();

/** Imports products without variants, one file after the other. */
export async function importProducts(merchant: ApiClient, count: number): Promise<void> {
  for (let from = 0; from < count; from += productsPerFile) {
    const numbers = Array.from(
      { length: Math.min(productsPerFile, count - from) },
      (_, i) => from + i,
    );
    const file = [header, ...numbers.map(csvRowFor)].join("\n");
    const report = await merchant.send("/imports", "text/csv", file);
    if (report.products_created !== numbers.length) {
      throw new Error(`The import is incomplete: ${JSON.stringify(report).slice(0, 300)}`);
    }
  }
}

function csvRowFor(number: number): string {
  const season = number % 2 === 0 ? "summer" : "winter";
  return [
    `garment-${number}`,
    `Garment ${String(number).padStart(6, "0")}`,
    `"${description}"`,
    `"cotton, ${season}"`,
    "true",
    `G-${number}`,
    `${10 + (number % 90)}.50`,
    `https://images.example/${number}.jpg`,
  ].join(",");
}
