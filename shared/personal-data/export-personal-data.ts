import { type Customer, customerRepo } from "../customers/index.ts";
import type { PersonalDataScope, Write } from "../database/index.ts";
import { personOf } from "./person.ts";
import { type SectionData, sections } from "./sections.ts";

/** Everything that is kept of one customer. */
export type ExportedPersonalData = Readonly<{ customer: Customer }> & Readonly<SectionData>;

/**
 * Reads everything that is kept of a customer (business-surface.md, GET /customers/{id}/data), in
 * two round trips however many areas keep something.
 *
 * @throws Refusal NOT_FOUND.
 */
export async function exportPersonalData(
  scope: PersonalDataScope,
  customerId: string,
): Promise<ExportedPersonalData> {
  const customer = await customerRepo(scope).get(customerId);
  const person = personOf(scope, customer);
  const readings = Object.entries(sections).map(
    ([name, { read }]) => [name, read(scope, person)] as const,
  );
  const results = await allOf(
    scope,
    readings.flatMap(([, { queries }]) => queries),
  );
  const shown = readings.map(([name, { queries, show }]) => [
    name,
    show(results.splice(0, queries.length)),
  ]);
  return { customer, ...(Object.fromEntries(shown) as SectionData) }; // safe: a name for each section
}

/** One batch, in the queries' order. */
async function allOf({ db }: PersonalDataScope, queries: readonly Write[]): Promise<unknown[]> {
  const [first, ...rest] = queries;
  return first ? [...(await db.batch([first, ...rest]))] : [];
}
