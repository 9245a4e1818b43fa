import { z } from "@hono/zod-openapi";
import { notFound } from "../../../../shared/kernel/index.ts";
import { userRepo } from "../../../../shared/members/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operatorToken } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createOperatorContext } from "../../context.ts";
import { email } from "../../requests/email-field.ts";
import { UserView, viewUser } from "../../views/console/me.ts";

const path = "/v1/operator/operators";

/** The logins that may make operator calls. Only the operator's token decides who they are. */
export const operators = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listOperators",
      tag: "Operators",
      summary: "List the logins that may make operator calls, newest first",
      access: operatorToken,
      query: z.object(pageQuery),
      response: Page(UserView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core } = createOperatorContext(c);
      const before = parseIdPosition(cursor);
      const records = await userRepo(core).listOperators({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(records, { limit, view: viewUser, position: ({ id }) => id })),
        200,
      );
    },
  )
  .openapi(
    route("post", path, {
      operationId: "addOperator",
      tag: "Operators",
      summary: "Let the login of an e-mail address make operator calls",
      access: operatorToken,
      body: requireJson(z.object({ email: email() })),
      response: UserView,
      status: 201,
    }),
    async (c) => {
      const { core, newId, now } = createOperatorContext(c);
      const user = { id: newId("usr"), createdAt: now(), ...c.req.valid("json") };
      return c.json(envelope(viewUser(await userRepo(core).grantOperator(user))), 201);
    },
  )
  .openapi(
    route("delete", `${path}/{user_id}`, {
      operationId: "removeOperator",
      tag: "Operators",
      summary: "Take the operator calls from a login",
      access: operatorToken,
      params: z.object({ user_id: id() }),
      response: UserView,
    }),
    async (c) => {
      const { core } = createOperatorContext(c);
      const user = await userRepo(core).revokeOperator(c.req.valid("param").user_id);
      if (user === null) throw notFound("user");
      return c.json(envelope(viewUser(user)), 200);
    },
  );
