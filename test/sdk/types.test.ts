import { describe, expect, expectTypeOf, it } from "vitest";
import type {
  Business,
  BusinessSchemas,
  Link,
  LinkSchemas,
  List,
  Operator,
  Page,
  Result,
  Socket,
  Storefront,
  StorefrontSchemas,
  WebhookEvent,
} from "../../sdk/src/index.ts";

// `npm run check` compiles this file. The tests themselves do nothing.

type Input<M extends (...args: never[]) => unknown, N extends number = 0> = NonNullable<
  Parameters<M>[N]
>;
type Data<M extends (...args: never[]) => unknown> =
  Awaited<ReturnType<M>> extends Result<infer T> ? T : never;
type ItemOf<M extends (...args: never[]) => unknown> =
  ReturnType<M> extends List<infer T> ? T : never;
type NullableKeys<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T];
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** The methods of a group whose result has the type never, because the types do not find it. */
type Untyped<G> = {
  [M in keyof G]: G[M] extends (...args: never[]) => List<infer T> | Promise<Result<infer T>>
    ? [T] extends [never]
      ? M
      : never
    : never;
}[keyof G];

describe("inputs", () => {
  it("require what the API requires", () => {
    type Item = Input<Storefront["cart"]["addItem"]>;
    expectTypeOf<Item["item_id"]>().toEqualTypeOf<string>();
    expectTypeOf<"item_id">().not.toExtend<OptionalKeys<Item>>();
    expectTypeOf<"quantity" | "variant_id">().toExtend<OptionalKeys<Item>>();
    expectTypeOf<Input<Storefront["checkout"]["placeOrder"]>["payment_method"]>().toEqualTypeOf<
      "card" | "cash" | "mobile_money"
    >();
    type ProductInput = Input<Business["products"]["create"]>;
    expectTypeOf<"name" | "default_price">().toExtend<
      Exclude<keyof ProductInput, OptionalKeys<ProductInput>>
    >();
    expectTypeOf<Input<Business["orders"]["refund"], 1>>().toEqualTypeOf<
      BusinessSchemas["RefundOrderRequest"]
    >();
  });

  it("are refused with an unknown field, without a required one, or of another type", () => {
    const call = async (shop: Storefront, business: Business) => {
      // @ts-expect-error no such field
      await shop.cart.addItem({ item_id: "prod_1", amount: 2 });
      // @ts-expect-error item_id is required
      await shop.cart.addItem({ quantity: 2 });
      // @ts-expect-error the input is required
      await shop.cart.addItem();
      // @ts-expect-error quantity is a number
      await shop.cart.addItem({ item_id: "prod_1", quantity: "2" });
      // @ts-expect-error no such option
      await shop.cart.addItem({ item_id: "prod_1" }, { retries: 1 });
      // @ts-expect-error the order's id is required
      await business.orders.refund({ amount: "5" });
      // @ts-expect-error no such filter
      shop.products.list({ limits: 5 });
      // @ts-expect-error no such method
      await shop.cart.buy();
      // @ts-expect-error a list is iterated, or read with page()
      const { data } = await shop.products.list();
      return data;
    };
    expect(call).toBeTypeOf("function");
  });

  it("join the fields of body and query, and may be left out where nothing is required", () => {
    type Cancel = Input<Storefront["orders"]["cancel"], 1>;
    expectTypeOf<Cancel>().toHaveProperty("token");
    expectTypeOf<Cancel>().toHaveProperty("reason");
    expectTypeOf<Storefront["products"]["list"]>().toBeCallableWith();
    expectTypeOf<Storefront["orders"]["get"]>().toBeCallableWith("ord_1");
    expectTypeOf<Storefront["cart"]["get"]>().toBeCallableWith({ timeout: 5 });
    expectTypeOf<Business["products"]["import"]>().toBeCallableWith({ file: "Handle,Title" });
    expectTypeOf<Input<Business["products"]["addImage"], 1>["file"]>().toEqualTypeOf<Blob>();
    expectTypeOf<Storefront["categories"]["listProducts"]>().toBeCallableWith("cat_1", {
      limit: 2,
      cursor: "4",
    });
  });
});

describe("results", () => {
  it("are the records of the documents, without the envelope", () => {
    expectTypeOf<Data<Storefront["cart"]["get"]>>().toEqualTypeOf<StorefrontSchemas["Cart"]>();
    expectTypeOf<Data<Business["orders"]["get"]>>().toEqualTypeOf<
      BusinessSchemas["MerchantOrder"]
    >();
    expectTypeOf<Data<Business["orders"]["refund"]>>().toEqualTypeOf<BusinessSchemas["Refund"]>();
    expectTypeOf<Data<Link["auth"]["verifyOtp"]>>().toEqualTypeOf<LinkSchemas["LinkLogin"]>();
    expectTypeOf<Data<Link["addresses"]["list"]>>().toEqualTypeOf<
      readonly LinkSchemas["LinkAddress"][]
    >();
    expectTypeOf<Data<Operator["businesses"]["create"]>>().toEqualTypeOf<
      BusinessSchemas["CreatedBusiness"]
    >();
    expectTypeOf<Data<Business["products"]["export"]>>().toEqualTypeOf<string>();
    expectTypeOf<Data<Business["assets"]["delete"]>>().toEqualTypeOf<undefined>();
    expectTypeOf<Awaited<ReturnType<Storefront["cart"]["get"]>>["requestId"]>().toEqualTypeOf<
      string | null
    >();
  });

  it("are known for every method", () => {
    type UntypedOf<C> = { [G in keyof C]: Untyped<C[G]> }[keyof C];
    expectTypeOf<UntypedOf<Storefront>>().toEqualTypeOf<never>();
    expectTypeOf<UntypedOf<Business>>().toEqualTypeOf<never>();
    expectTypeOf<UntypedOf<Link>>().toEqualTypeOf<never>();
    expectTypeOf<UntypedOf<Operator>>().toEqualTypeOf<never>();
    type Example = { get: () => Promise<Result<never>>; list: () => List<string> };
    expectTypeOf<Untyped<Example>>().toEqualTypeOf<"get">();
  });

  it("of lists have items, and pages that say more", async () => {
    expectTypeOf<ItemOf<Storefront["products"]["list"]>>().toEqualTypeOf<
      StorefrontSchemas["ProductListEntry"]
    >();
    expectTypeOf<ItemOf<Storefront["orders"]["list"]>>().toEqualTypeOf<
      StorefrontSchemas["Order"]
    >();
    expectTypeOf<ItemOf<Business["assets"]["list"]>>().toEqualTypeOf<BusinessSchemas["Asset"]>();
    expectTypeOf<ItemOf<Business["products"]["list"]>>().toEqualTypeOf<
      BusinessSchemas["ProductRecord"]
    >();
    type StockPage = Awaited<ReturnType<ReturnType<Business["reports"]["getStock"]>["page"]>>;
    expectTypeOf<StockPage>().toEqualTypeOf<
      Page<BusinessSchemas["ValuedStockLevel"], BusinessSchemas["StockReport"]>
    >();
  });

  it("are null only where a field is", () => {
    type CartRecord = StorefrontSchemas["Cart"];
    expectTypeOf<NullableKeys<CartRecord>>().toEqualTypeOf<"coupon" | "delivery">();
    expectTypeOf<CartRecord["coupon"]>().toEqualTypeOf<StorefrontSchemas["CartCoupon"] | null>();
    type StorefrontRecords = {
      [N in "CartCoupon" | "Customer" | "Deal" | "Activity" | "Incentive"]: StorefrontSchemas[N];
    };
    expectTypeOf<NullableKeys<StorefrontRecords>>().toEqualTypeOf<never>();
    type MerchantRecords = { [N in "BusinessAddress" | "Customer" | "Deal"]: BusinessSchemas[N] };
    expectTypeOf<NullableKeys<MerchantRecords>>().toEqualTypeOf<never>();
    expectTypeOf<NullableKeys<LinkSchemas>>().toEqualTypeOf<never>();
    expectTypeOf<NullableKeys<StorefrontSchemas>>().toEqualTypeOf<never>();
    expectTypeOf<NullableKeys<BusinessSchemas>>().toEqualTypeOf<never>();
    type Field = StorefrontSchemas["Customer"]["email"];
    expectTypeOf<Field>().toEqualTypeOf<string | null>();
  });

  it("cannot be changed", () => {
    const change = (cart: StorefrontSchemas["Cart"]) => {
      // @ts-expect-error it is read-only
      cart.item_count = 2;
    };
    expect(change).toBeTypeOf("function");
  });
});

describe("events and sockets", () => {
  it("have the data of their type", () => {
    type Created = Extract<WebhookEvent, { type: "order.created" }>;
    expectTypeOf<Created["data"]["order_number"]>().toEqualTypeOf<string>();
    type Said = Extract<WebhookEvent, { type: "support.message_created" }>;
    expectTypeOf<Said["data"]["content"]>().toEqualTypeOf<string | null>();
    expectTypeOf<ReturnType<Storefront["support"]["connect"]>>().toExtend<
      AsyncIterable<StorefrontSchemas["Message"]>
    >();
  });

  it("may be opened by the platform or by a package", () => {
    type PackageSocket = {
      send(data: string | ArrayBuffer, done?: () => void): void;
      close(code?: number): void;
      addEventListener(
        type: "message",
        listen: (event: { data: string | ArrayBuffer }) => void,
      ): void;
      addEventListener(type: "close", listen: (event: { code: number }) => void): void;
      addEventListener(type: "error", listen: (event: { error: unknown }) => void): void;
    };
    expectTypeOf<WebSocket>().toExtend<Socket>();
    expectTypeOf<PackageSocket>().toExtend<Socket>();
  });
});
