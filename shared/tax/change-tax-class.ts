import { standardTaxClass } from "../catalogue/index.ts";
import {
  archiveRecord,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../database/index.ts";
import { assertArchivable, codeTaken, type TaxClass, taxClassInUse } from "./tax-class.ts";
import { taxClassRepo } from "./tax-class-repo.ts";

/** Creates a tax class. @throws Refusal CONFLICT for a code that another class has. */
export async function createTaxClass(ctx: Context, taxClass: TaxClass): Promise<TaxClass> {
  if (taxClass.code === standardTaxClass) throw codeTaken();
  await commit(ctx, {
    writes: [taxClassRepo(ctx).insert(taxClass, ctx.now())],
    audit: [{ action: "tax_class.created", entity: taxClass.code, after: taxClass }],
    refusals: { "tax_classes.updated_at": codeTaken },
  });
  return taxClass;
}

/** Renames a tax class, also the class `standard`. @throws Refusal NOT_FOUND. */
export function renameTaxClass(
  ctx: Context,
  code: string,
  { name }: Readonly<{ name?: string | undefined }>,
): Promise<TaxClass> {
  const repo = taxClassRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(code);
    const after = { ...record.taxClass, name: name ?? record.taxClass.name };
    await commit(ctx, {
      writes: [repo.rename(record, after.name, nextUpdatedAt(ctx.now(), record))],
      audit: [{ action: "tax_class.updated", entity: code, before: record.taxClass, after }],
      refusals: staleWriteRefusal("tax_classes", "tax class"),
    });
    return after;
  });
}

/**
 * Archives a tax class, so that its code can be used again. Archiving it again changes nothing.
 *
 * @throws Refusal NOT_FOUND; INVALID_STATE for a class that a product or a rate has, and for
 * `standard`.
 */
export async function archiveTaxClass(ctx: Context, code: string): Promise<TaxClass> {
  assertArchivable(code);
  const { taxClass } = await archiveRecord(ctx, code, {
    repo: taxClassRepo(ctx),
    writes: [],
    action: "tax_class.archived",
    before: (record) => record.taxClass,
    refusals: {
      tax_classes_in_use: taxClassInUse,
      ...staleWriteRefusal("tax_classes", "tax class"),
    },
  });
  return taxClass;
}
