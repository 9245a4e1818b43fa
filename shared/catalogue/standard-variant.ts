import type { Variant } from "./product.ts";

type Choice = Readonly<{
  variants: readonly Pick<Variant, "isActive" | "isDefault">[];
}>;

/** The variant that is sold when none is named; undefined without an active one. */
export function standardVariant<P extends Choice>({
  variants,
}: P): P["variants"][number] | undefined {
  const active = variants.filter(({ isActive }) => isActive);
  return active.find(({ isDefault }) => isDefault) ?? active[0];
}
