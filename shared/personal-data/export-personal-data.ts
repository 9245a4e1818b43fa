import { type Customer, customerRepo } from "../customers/index.ts";
import { type PersonalDataContext, readTogether } from "../database/index.ts";
import { dataSubjectOf } from "./data-subject.ts";
import { type SectionData, sections } from "./sections.ts";

/** Everything that is stored about one customer. */
export type ExportedPersonalData = Readonly<{ customer: Customer }> & Readonly<SectionData>;

/**
 * Reads everything that is stored about a customer in two round trips
 * (docs/contract/business.md#personal-data-export).
 *
 * @throws Refusal NOT_FOUND.
 */
export async function exportPersonalData(
  ctx: PersonalDataContext,
  customerId: string,
): Promise<ExportedPersonalData> {
  const customer = await customerRepo(ctx).get(customerId);
  const subject = dataSubjectOf(ctx, customer);
  const values = await readTogether<unknown>(
    ctx.db,
    Object.values(sections).map(({ read }) => read(ctx, subject)),
  );
  const data = Object.fromEntries(
    Object.keys(sections).map((name, index) => [name, values[index]]),
  );
  return { customer, ...(data as SectionData) }; // Safe: `data` has one value for each section, in order.
}
