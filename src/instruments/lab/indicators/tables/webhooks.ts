/** Addresses that take a message from whoever knows them. */
const webhooks: readonly RegExp[] = [
  /^https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d/,
  /^https:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\//,
  /^https:\/\/api\.telegram\.org\/(?:file\/)?bot\d/,
  /^https:\/\/[a-z0-9-]{1,63}\.webhook\.office\.com\/webhookb2\//,
  /^https:\/\/outlook\.office(?:365)?\.com\/webhook\//,
  /^https:\/\/[a-z0-9.-]{1,100}\.logic\.azure\.com(?::443)?\/workflows\//,
  /^https:\/\/chat\.googleapis\.com\/v1\/spaces\//,
  /^https:\/\/hooks\.zapier\.com\/hooks\//,
  /^https:\/\/hook\.(?:[a-z0-9]{1,8}\.)?make\.com\//,
  /^https?:\/\/webhook\.site\/[0-9a-f-]{36}/,
  /^https:\/\/maker\.ifttt\.com\/trigger\//,
  /^https:\/\/[a-z0-9]{8,40}\.m\.pipedream\.net/,
  /^https:\/\/open\.feishu\.cn\/open-apis\/bot\//,
  /^https:\/\/oapi\.dingtalk\.com\/robot\/send/,
  /^https:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\//,
];

export function isWebhook(href: string): boolean {
  return webhooks.some((pattern) => pattern.test(href));
}
