import { createDocumentValidator, type DocumentValidator } from "../support/document-validator.ts";

const apiPrefixes = ["/api/v1", "/v1/link", "/v1/businesses"];
const validators = new Map<string, Promise<DocumentValidator>>();

/** Loads the OpenAPI documents of the service once and returns their validator. */
export function loadDocumentValidator(origin: string): Promise<DocumentValidator> {
  const validator = validators.get(origin) ?? fetchDocuments(origin).then(createDocumentValidator);
  validators.set(origin, validator);
  return validator;
}

const fetchDocuments = (origin: string) =>
  Promise.all(
    apiPrefixes.map(async (prefix) => {
      const response = await fetch(`${origin}${prefix}/openapi.json`);
      return Object(await response.json());
    }),
  );
