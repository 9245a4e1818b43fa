DROP INDEX `imports_by_business`;--> statement-breakpoint
DROP INDEX `product_variants_by_sku`;--> statement-breakpoint
DROP INDEX `stock_movements_by_item`;--> statement-breakpoint
DROP INDEX `slot_claims_by_session`;