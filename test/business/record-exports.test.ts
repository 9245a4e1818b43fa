import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { csvCell } from "../../shared/kernel/index.ts";
import { exportOrders } from "../../shared/orders/index.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiClient,
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const exportText = async (path: string, client = ask): Promise<string> => {
  const response = await client("GET", path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  return String(response.body);
};

/** The rows of a CSV text without line breaks in cells, each by column name. */
function parseRows(text: string): Record<string, string>[] {
  const [header = [], ...rows] = text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      ),
    );
  return rows.map((cells) =>
    Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])),
  );
}

describe("GET /v1/businesses/{business_id}/orders/export", () => {
  it("has one line for each order, newest first, with what was refunded", async () => {
    await changeSettings(shop, { tax: { ratePercent: "15", isInclusive: true } });
    const tea = await createProduct(shop, { name: "Tea, green", defaultPriceMinor: 1_250 });
    const first = await createOrder(shop, tea.id, {
      fields: { customer: { name: "Ama", phone: "0241234567" }, address_info: { city: "Accra" } },
    });
    await ask("POST", `/orders/${first.id}/refunds`, { body: { amount: "5" } });
    await ask("PATCH", `/orders/${first.id}`, { body: { tags: ["gift", "rush"] } });
    const second = await createOrder(shop, tea.id, { payWith: "cash", quantity: 1 });
    const text = await exportText("/orders/export");
    expect(text.split("\r\n")[0]).toBe(
      "order_number,id,created_at,status,order_type,location_id,customer_id,customer_name,customer_email,customer_phone,item_count,items,currency,subtotal,discount_total,tax_total,total_price,payment_status,payment_method,payment_reference,payment_currency,payment_amount,refunded_amount,tags,customer_notes,special_instructions,address_info,cancelled_at,cancellation_reason,delivery_total,tax_lines,fulfilment_status,tracking_numbers,delivery_name",
    );
    const rows = parseRows(text);
    expect(rows.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(rows[1]).toMatchObject({
      order_number: first.number,
      customer_name: "Ama",
      customer_phone: "+233241234567",
      item_count: "2",
      items: "2 × Tea, green",
      total_price: "25.00",
      payment_status: "partially_refunded",
      payment_amount: "25.00",
      refunded_amount: "5.00",
      tags: "gift, rush",
      address_info: '{"city":"Accra"}',
      delivery_total: "0.00",
      tax_lines: "Tax 15%: 3.26",
    });
  });

  it("takes the filters of the list", async () => {
    const { id } = await createProduct(shop);
    const order = await createOrder(shop, id, { payWith: "cash" });
    const done = await createOrder(shop, id, { payWith: "cash" });
    await ask("POST", `/orders/${done.id}/status`, { body: { status: "completed" } });
    const idsOf = async (query: string) =>
      parseRows(await exportText(`/orders/export?${query}`)).map((row) => row.id);
    expect(await idsOf("status=completed")).toEqual([done.id]);
    expect(await idsOf(`search=${order.number}`)).toEqual([order.id]);
    expect(await idsOf("product_id=prod_unknown")).toEqual([]);
    expect((await ask("GET", "/orders/export?status=lost")).status).toBe(400);
  });

  it("reads one page at a time, when the client asks for it", async () => {
    const { id } = await createProduct(shop);
    await createOrder(shop, id, { payWith: "cash" });
    await copyOrder(709);
    const ctx = contextFor(shop);
    const chunks = exportOrders(ctx, {});
    const sizes: number[] = [];
    for await (const chunk of chunks) {
      sizes.push(chunk.split("\r\n").length - 1);
      expect(ctx.meter.d1).toBe(sizes.length);
    }
    expect(sizes).toEqual([101, 600, 10]);
    const rows = parseRows(await exportText("/orders/export"));
    expect(new Set(rows.map((row) => row.id)).size).toBe(710);
  });

  it("contains only the business's own orders, and needs the scope", async () => {
    const { id } = await createProduct(shop);
    await createOrder(shop, id, { payWith: "cash" });
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    expect(parseRows(await exportText("/orders/export", neighbour))).toEqual([]);
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["customers:read"] }) };
    expect((await ask("GET", "/orders/export", { headers })).status).toBe(403);
  });

  /** Copies the business's only order with its lines, history and payment. */
  async function copyOrder(count: number): Promise<void> {
    const numbers = `json_each('${JSON.stringify(Array.from({ length: count }, (_, index) => index))}')`;
    for (const [table, ...keys] of [
      ["orders", "id", "order_number", "cart_id"],
      ["order_lines", "id", "order_id"],
      ["order_history", "order_id"],
      ["payments", "id", "order_id", "reference"],
    ] as const) {
      const columns = (
        await selectRows(shop, `select name from pragma_table_info('${table}')`)
      ).map(({ name }) => String(name));
      const values = columns.map((name) =>
        keys.some((key) => key === name)
          ? `source."${name}" || '-' || copy.value`
          : `source."${name}"`,
      );
      await selectRows(
        shop,
        `insert into ${table} select ${values.join(", ")} from ${table} as source, ${numbers} as copy`,
      );
    }
  }
});

describe("GET /v1/businesses/{business_id}/customers/export", () => {
  const create = (body: object) => ask("POST", "/customers", { body });

  it("has one line for each customer, newest first", async () => {
    await create({ name: "Ama", phone: "0241234567", tags: ["vip", "wholesale"] });
    const kofi = dataOf(await create({ name: 'Kofi "K" Annan', email: "kofi@example.com" }));
    const text = await exportText("/customers/export");
    expect(text).toMatch(
      /^id,name,email,phone,email_verified_at,phone_verified_at,tags,created_at,updated_at\r\n/,
    );
    expect(parseRows(text)).toMatchObject([
      {
        id: kofi.id,
        name: 'Kofi "K" Annan',
        email: "kofi@example.com",
        created_at: kofi.created_at,
      },
      { name: "Ama", phone: "+233241234567", tags: "vip, wholesale" },
    ]);
    expect(parseRows(await exportText("/customers/export?search=ama"))).toMatchObject([
      { name: "Ama" },
    ]);
  });

  it("contains only the business's own customers, and needs the scope", async () => {
    await create({ name: "Ama" });
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    for (const query of ["", "?search=ama"]) {
      expect(parseRows(await exportText(`/customers/export${query}`, neighbour))).toEqual([]);
    }
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["orders:read"] }) };
    expect((await ask("GET", "/customers/export", { headers })).status).toBe(403);
  });

  it("refuses a parameter of the list's pages", async () => {
    for (const path of ["/customers/export?limit=5", "/orders/export?cursor=b3JkXzE"]) {
      expect(await ask("GET", path)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR" } },
      });
    }
  });

  it("contains no cell that a spreadsheet evaluates", async () => {
    await create({ name: '=HYPERLINK("https://evil.example","Pay")', tags: ["@SUM(1+1)"] });
    expect(parseRows(await exportText("/customers/export"))).toMatchObject([
      { name: '\'=HYPERLINK("https://evil.example","Pay")', tags: "'@SUM(1+1)" },
    ]);
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    [" =1", "' =1"],
    ["\t=1", "'\t=1"],
    ["\rx", "'\rx"],
    ["'=1", "''=1"],
    ["'quoted'", "'quoted'"],
    ["\uff1d1", "'\uff1d1"],
    ["-1.25", "-1.25"],
    ["+233241234567", "+233241234567"],
    ["Tea = good", "Tea = good"],
    ["", ""],
  ])("writes %j as %j", (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});
