import { asRecords, createApiClient } from "./api-client.ts";
import type { RuleViolations } from "./load-reconciliation.ts";
import { operatorToken } from "./runtime.ts";

/** Checks the books of a business as the operator does, page by page, and counts what it finds. */
export async function checkOperatorBooks(origin: URL, businessId: string): Promise<RuleViolations> {
  const operator = createApiClient(`${origin.origin}/v1/operator`, {
    Authorization: `Bearer ${operatorToken}`,
  });
  let violations = 0;
  for (let cursor: unknown = null; cursor !== undefined; ) {
    const page = await operator.post("/books", {
      business_id: businessId,
      ...(cursor !== null && { cursor }),
    });
    const findings = asRecords(page.findings);
    for (const finding of findings) console.error(JSON.stringify(finding));
    violations += findings.length;
    cursor = page.next_cursor ?? undefined;
  }
  return { rule: "the operator's check of the books finds nothing", violations };
}
