import type { Context } from "../../database/index.ts";
import { formatCsvLine, iso, isoOrNull } from "../../kernel/index.ts";
import type { Customer } from "../customer.ts";
import { customerRepo } from "../repo.ts";

const pageSize = 200;

/** The cell of each column, in order (docs/contract/business.md#customer-export). */
const columns: Readonly<Record<string, (customer: Customer) => string | null>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  email_verified_at: ({ emailVerifiedAt }) => isoOrNull(emailVerifiedAt),
  phone_verified_at: ({ phoneVerifiedAt }) => isoOrNull(phoneVerifiedAt),
  tags: ({ tags }) => tags.join(", "),
  created_at: ({ createdAt }) => iso(createdAt),
  updated_at: ({ updatedAt }) => iso(updatedAt),
};

/**
 * Writes customers as the text of a CSV file, newest first. Each chunk is one page, which is read
 * when the caller asks for it.
 */
export async function* exportCustomers(
  ctx: Pick<Context, "db" | "business">,
  search: string | undefined,
): AsyncGenerator<string> {
  const repo = customerRepo(ctx);
  let header = formatCsvLine(Object.keys(columns));
  let after: string | null = null;
  do {
    const page: Customer[] = await repo.list({ search, limit: pageSize, after });
    yield header + page.map(formatCustomer).join("");
    header = "";
    after = page.length < pageSize ? null : (page.at(-1)?.id ?? null);
  } while (after !== null);
}

const formatCustomer = (customer: Customer): string =>
  formatCsvLine(Object.values(columns).map((cellOf) => cellOf(customer) ?? ""));
