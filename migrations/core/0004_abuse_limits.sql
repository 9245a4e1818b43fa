ALTER TABLE `idempotency_keys` ADD `content_digest` text;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `subject_ids` text;--> statement-breakpoint
CREATE INDEX `idempotency_about_persons` ON `idempotency_keys` (`business_id`) WHERE subject_ids is not null;
--> statement-breakpoint
-- Keys had to have settings:write to manage keys. A key with every scope of then keeps every scope.
UPDATE `api_keys` SET `scopes` = json_insert(`scopes`, '$[#]', 'keys:read', '$[#]', 'keys:write')
  WHERE `kind` = 'secret' AND (SELECT count(DISTINCT value) FROM json_each(`api_keys`.`scopes`)
    WHERE value NOT IN ('*', 'keys:read', 'keys:write')) = 16;
