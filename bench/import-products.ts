import type { Api } from "../scripts/seed/api.ts";

const productsOfFile = 10_000;
const header = "Handle,Title,Body (HTML),Tags,Published,Variant SKU,Variant Price,Image Src";
const description = "Heavy cotton, cut straight, better after the tenth wash. ".repeat(4).trim();

/** Brings so many products without variants in, as files one after the other. */
export async function importProducts(merchant: Api, count: number): Promise<void> {
  for (let from = 0; from < count; from += productsOfFile) {
    const numbers = Array.from(
      { length: Math.min(productsOfFile, count - from) },
      (_, i) => from + i,
    );
    const file = [header, ...numbers.map(rowOf)].join("\n");
    const report = await merchant.send("/imports", "text/csv", file);
    if (report.products_created !== numbers.length) {
      throw new Error(`Not all was imported: ${JSON.stringify(report).slice(0, 300)}`);
    }
  }
}

function rowOf(number: number): string {
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
