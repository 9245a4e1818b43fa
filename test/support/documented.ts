import { exports } from "cloudflare:workers";
import { type Answered, published } from "./published.ts";

const surfaces = ["/api/v1", "/v1/link", "/v1/businesses"];

const service = published(
  await Promise.all(
    surfaces.map(async (prefix) => {
      const answer = await exports.default.fetch(`https://duka.test${prefix}/openapi.json`);
      return Object(await answer.json());
    }),
  ),
);

/**
 * Holds an answer to the documents of the service, as it publishes them.
 *
 * @throws Error naming the operation and the field.
 */
export const demandDocumented = (answered: Answered): void => service.demandAnswer(answered);
