/** One kind of secret that is recognised by its own form. */
interface SecretRule {
  readonly kind: string;
  /** Text in every match, in a run of at least 20 token characters: if it is absent, the pattern is skipped. */
  readonly anchor: string;
  /** Group 1 is the secret; without groups, the whole match is. */
  readonly pattern: RegExp;
}

/**
 * A token with a boundary on each side. The look-behind allows one attempt per run of token characters, at its start:
 * the search stays linear however often the prefix is repeated.
 */
const token = (kind: string, anchor: string, form: string): SecretRule => ({
  kind,
  anchor,
  pattern: new RegExp(`(?<![A-Za-z0-9_-])${form}(?![A-Za-z0-9_])`, "g"),
});
const within = (kind: string, anchor: string, pattern: RegExp): SecretRule => ({ kind, anchor, pattern });

/** More specific forms come first: if two overlap, the earlier rule gives the kind. */
export const SECRET_RULES: readonly SecretRule[] = [
  token("aws access key", "AKIA", "AKIA[A-Z0-9]{16}"),
  token("aws temporary access key", "ASIA", "ASIA[A-Z0-9]{16}"),
  token("aws bedrock key", "ABSK", "ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
  token("github personal token", "ghp_", "ghp_[A-Za-z0-9]{36,255}"),
  token("github oauth token", "gho_", "gho_[A-Za-z0-9]{36,255}"),
  token("github user token", "ghu_", "ghu_[A-Za-z0-9]{36,255}"),
  token("github app token", "ghs_", "ghs_[A-Za-z0-9]{36,255}"),
  token("github refresh token", "ghr_", "ghr_[A-Za-z0-9]{36,255}"),
  token("github fine-grained token", "github_pat_", "github_pat_[A-Za-z0-9_]{60,255}"),
  token("gitlab personal token", "glpat-", "glpat-[A-Za-z0-9_.-]{20,80}"),
  token("gitlab deploy token", "gldt-", "gldt-[A-Za-z0-9_-]{20,80}"),
  token("gitlab runner token", "glrt-", "glrt-[A-Za-z0-9_-]{20,80}"),
  token("gitlab trigger token", "glptt-", "glptt-[a-f0-9]{40}"),
  token("slack token", "xox", "xox[abeoprs]-[A-Za-z0-9-]{15,250}"),
  token("slack app token", "xapp-", "xapp-\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-f0-9]{30,100}"),
  within(
    "slack webhook",
    "hooks.slack.com",
    /hooks\.slack\.com\/services\/(T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/[A-Za-z0-9]{20,32})/g,
  ),
  token("stripe live key", "k_live_", "[sr]k_live_[A-Za-z0-9]{16,250}"),
  token("stripe test key", "k_test_", "[sr]k_test_[A-Za-z0-9]{16,250}"),
  token("stripe webhook secret", "whsec_", "whsec_[A-Za-z0-9+/]{32,100}"),
  token("npm token", "npm_", "npm_[A-Za-z0-9]{36}"),
  token("pypi token", "pypi-AgE", "pypi-AgE[A-Za-z0-9_-]{50,500}"),
  token("rubygems key", "rubygems_", "rubygems_[a-f0-9]{48}"),
  token("crates.io token", "cio", "cio[A-Za-z0-9]{32}"),
  token("nuget key", "oy2", "oy2[a-z0-9]{43}"),
  token("docker hub token", "dckr_", "dckr_[a-z]{3}_[A-Za-z0-9_-]{20,60}"),
  token("anthropic key", "sk-ant-", "sk-ant-[a-z]{2,10}\\d{2}-[A-Za-z0-9_-]{60,200}"),
  token("openrouter key", "sk-or-", "sk-or-v1-[a-f0-9]{64}"),
  token("openai project key", "sk-", "sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,300}"),
  token("openai key", "T3BlbkFJ", "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
  token("google api key", "AIza", "AIza[A-Za-z0-9_-]{35}"),
  token("google oauth secret", "GOCSPX-", "GOCSPX-[A-Za-z0-9_-]{28}"),
  token("google access token", "ya29.", "ya29\\.[A-Za-z0-9_-]{30,500}"),
  token("hugging face token", "hf_", "hf_[A-Za-z0-9]{34}"),
  token("groq key", "gsk_", "gsk_[A-Za-z0-9]{52}"),
  token("xai key", "xai-", "xai-[A-Za-z0-9]{70,90}"),
  token("perplexity key", "pplx-", "pplx-[A-Za-z0-9]{48}"),
  token("replicate token", "r8_", "r8_[A-Za-z0-9]{37}"),
  token("sendgrid key", "SG.", "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"),
  token("mailgun key", "key-", "key-[a-f0-9]{32}"),
  token("mailchimp key", "-us", "[a-f0-9]{32}-us\\d{1,2}"),
  token("twilio key", "SK", "SK[a-f0-9]{32}"),
  token("telegram bot token", ":AA", "\\d{8,10}:AA[A-Za-z0-9_-]{33}"),
  within(
    "discord webhook",
    "/api/webhooks/",
    /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/([A-Za-z0-9_-]{60,80})/g,
  ),
  token("digitalocean token", "_v1_", "do[opr]_v1_[a-f0-9]{64}"),
  token("heroku key", "HRKU-", "HRKU-[A-Za-z0-9_-]{30,80}"),
  token("linear key", "lin_api_", "lin_api_[A-Za-z0-9]{40}"),
  token("notion token", "ntn_", "ntn_[A-Za-z0-9]{40,60}"),
  token("figma token", "figd_", "figd_[A-Za-z0-9_-]{40,60}"),
  token("airtable token", "pat", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}"),
  token("atlassian token", "ATATT3", "ATATT3[A-Za-z0-9_=-]{100,300}"),
  token("bitbucket token", "ATBB", "ATBB[A-Za-z0-9_=-]{24,100}"),
  token("new relic key", "NRAK-", "NRAK-[A-Z0-9]{27}"),
  token("sentry token", "sntry", "sntry[su]_[A-Za-z0-9_=+/]{40,400}"),
  token("grafana token", "glsa_", "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"),
  token("postman key", "PMAK-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  token("shopify token", "shp", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
  token("square token", "sq0", "sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}"),
  token("vault token", "hv", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}"),
  token("terraform token", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,80}"),
  token("pulumi token", "pul-", "pul-[a-f0-9]{40}"),
  token("databricks token", "dapi", "dapi[a-f0-9]{32}(?:-\\d)?"),
  token("supabase token", "sbp_", "sbp_[a-f0-9]{40}"),
  token("planetscale token", "pscale_", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
  token("netlify token", "nfp_", "nfp_[A-Za-z0-9]{36}"),
  token("doppler token", "dp.", "dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9._-]{40,80}"),
  token("age key", "AGE-SECRET-KEY-", "AGE-SECRET-KEY-1[A-Z0-9]{58}"),
  within("azure storage key", "AccountKey=", /AccountKey=([A-Za-z0-9+/]{86}==)/g),
  within("azure shared access signature", "sig=", /[?&]sig=([A-Za-z0-9%]{43,120})/g),
  token(
    "json web token",
    "eyJ",
    "eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{10,8000}\\.[A-Za-z0-9_-]{10,2000}",
  ),
];
