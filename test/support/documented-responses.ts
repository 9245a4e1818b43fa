import { exports } from "cloudflare:workers";
import { createDocumentValidator, type ReceivedResponse } from "./document-validator.ts";

const apiPrefixes = ["/api/v1", "/v1/link", "/v1/businesses"];

const validator = createDocumentValidator(
  await Promise.all(
    apiPrefixes.map(async (prefix) => {
      const response = await exports.default.fetch(`https://duka.test${prefix}/openapi.json`);
      return Object(await response.json());
    }),
  ),
);

/**
 * Checks a response against the OpenAPI documents that the service publishes.
 *
 * @throws Error naming the operation and the field.
 */
export const assertDocumentedResponse = (response: ReceivedResponse): void =>
  validator.assertResponse(response);
