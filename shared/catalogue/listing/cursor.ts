import { canonicalJson, invalid, sha256 } from "../../kernel/index.ts";
import type { KeyPosition, ProductFilters, ProductSort } from "./product-list.ts";

/** Identifies the list that a cursor belongs to. A cursor of another list is rejected. */
export type ListIdentity = Readonly<{
  business: { id: string };
  filters: ProductFilters;
  sort: ProductSort;
}>;

/** Encodes a position as an opaque cursor. The next page starts after this position. */
export async function encodeCursor(list: ListIdentity, position: KeyPosition): Promise<string> {
  const text = JSON.stringify([await digestOf(list), ...position]);
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Returns the position that a cursor contains.
 * @throws Refusal VALIDATION_ERROR for a text that is not a cursor, or a cursor of another list.
 */
export async function decodeCursor(list: ListIdentity, cursor: string): Promise<KeyPosition> {
  const [digest, ...position] = parseCursor(cursor);
  if (digest !== (await digestOf(list)) || !isPositionIn(list.sort, position)) {
    throw invalid("cursor", "is not one that this list gave.");
  }
  return position;
}

const digestOf = async ({ business, filters, sort }: ListIdentity): Promise<string> =>
  (await sha256(canonicalJson({ business: business.id, filters, sort }))).slice(0, 16);

function parseCursor(cursor: string): readonly unknown[] {
  try {
    const bytes = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // the digest check rejects the cursor
  }
}

/**
 * Checks the types of the position's values, so that a forged cursor is rejected before a query.
 */
function isPositionIn({ by }: ProductSort, values: readonly unknown[]): values is KeyPosition {
  const types = [...sortValueTypes[by], "string"];
  return (
    values.length === types.length && values.every((value, index) => typeof value === types[index])
  );
}

const sortValueTypes = {
  name: ["string"],
  price: ["number"],
  created_at: ["number"],
  popularity: ["number"],
  relevance: ["number", "number"],
} as const satisfies Record<ProductSort["by"], readonly string[]>;
