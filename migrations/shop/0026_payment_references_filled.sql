-- The payments that were there before their references were kept.
INSERT INTO `payment_references` (`reference`, `payment_id`, `business_id`)
SELECT `reference`, `id`, `business_id` FROM `payments`;
