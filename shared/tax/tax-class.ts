import { standardTaxClass } from "../catalogue/index.ts";
import { conflict, ruleViolation } from "../kernel/index.ts";

/** A class of products that are taxed alike. Its code never changes. */
export type TaxClass = Readonly<{ code: string; name: string }>;

/** The class that every business has, until the merchant gives it another name. */
export const unnamedStandardClass: TaxClass = { code: standardTaxClass, name: "Standard" };

export const codeTaken = () => conflict("Another tax class has this code.");

export const taxClassInUse = () =>
  ruleViolation(
    "INVALID_STATE",
    "Products or tax rates have this tax class; give them another one first.",
  );

/** @throws Refusal INVALID_STATE for the class `standard`. */
export function assertArchivable(code: string): void {
  if (code !== standardTaxClass) return;
  throw ruleViolation("INVALID_STATE", "The tax class standard always exists; rename it instead.");
}

/**
 * The page of classes with `standard`, which may have no row. Both are in the order of the codes,
 * and a page may become longer than its limit by one.
 */
export function withStandardClass(
  classes: readonly TaxClass[],
  after: string | null,
): readonly TaxClass[] {
  const isOnEarlierPage = after !== null && after >= standardTaxClass;
  if (isOnEarlierPage || classes.some(({ code }) => code === standardTaxClass)) return classes;
  return [...classes, unnamedStandardClass].toSorted((a, b) => (a.code < b.code ? -1 : 1));
}
