import { z } from "@hono/zod-openapi";
import { type Domain, verificationRecordOf } from "../../../../shared/businesses/index.ts";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";

export const DomainView = z
  .object({
    id: z.string(),
    hostname: z.string(),
    status: z.enum(["pending", "verified"]),
    verification: z
      .object({ type: z.literal("TXT"), name: z.string(), value: z.string() })
      .openapi({ description: "The DNS record that proves that the hostname is the business's." }),
    created_at: z.string(),
    verified_at: z.string().nullable(),
  })
  .openapi("Domain");

export const viewDomain = (domain: Domain): z.infer<typeof DomainView> => ({
  id: domain.id,
  hostname: domain.hostname,
  status: domain.verifiedAt === null ? "pending" : "verified",
  verification: verificationRecordOf(domain),
  created_at: iso(domain.createdAt),
  verified_at: isoOrNull(domain.verifiedAt),
});
