/** What the guard looks for. */
export const secretKinds = [
  "api key",
  "private key",
  "token",
  "password",
  "card number",
  "account number",
] as const;
export type SecretKind = (typeof secretKinds)[number];

/**
 * Forms of keys that are one run of letters, digits, `_` and `-`. Each pattern covers the whole
 * run: literals, and classes with a number of repetitions. None of them can backtrack.
 */
export const keyPatterns: readonly RegExp[] = [
  /^(?:AKIA|ASIA)[A-Z\d]{16}$/, // Amazon Web Services
  /^AIza[\w-]{35}$/, // Google
  /^GOCSPX-[\w-]{28}$/, // Google OAuth
  /^gh[oprsu]_[A-Za-z\d]{36,251}$/, // GitHub
  /^github_pat_\w{22,251}$/, // GitHub
  /^gl(?:pat|dt|rt|ptt|soat)-[\w-]{20,200}$/, // GitLab
  /^xox[abeoprs]-[\w-]{10,250}$/, // Slack
  /^xapp-[\w-]{20,250}$/, // Slack
  /^[rs]k_(?:live|test)_\w{16,250}$/, // Stripe
  /^whsec_[A-Za-z\d]{32,100}$/, // Stripe webhooks
  /^sk-[\w-]{20,250}$/, // OpenAI, Anthropic, OpenRouter and others
  /^hf_[A-Za-z\d]{30,50}$/, // Hugging Face
  /^gsk_[A-Za-z\d]{40,60}$/, // Groq
  /^xai-[A-Za-z\d]{60,100}$/, // xAI
  /^r8_[A-Za-z\d]{30,50}$/, // Replicate
  /^npm_[A-Za-z\d]{36}$/, // npm
  /^pypi-[\w-]{50,250}$/, // PyPI
  /^do[opr]_v1_[a-f\d]{64}$/, // DigitalOcean
  /^dapi[a-f\d]{32}$/, // Databricks
  /^shp(?:at|ca|pa|ss)_[A-Fa-f\d]{32}$/, // Shopify
  /^SK[a-f\d]{32}$/, // Twilio
  /^key-[a-f\d]{32}$/, // Mailgun
  /^sq0(?:atp|csp)-[\w-]{22,43}$/, // Square
  /^lin_api_[A-Za-z\d]{32,48}$/, // Linear
  /^ntn_[A-Za-z\d]{40,50}$/, // Notion
  /^tvly-[\w-]{20,60}$/, // Tavily
  /^vdm_[a-f\d]{88}$/, // Vademecum
];

/**
 * Forms of keys of several runs with dots between them. Each pattern covers the whole, and no class
 * has a dot, so none of them can backtrack.
 */
export const dottedPatterns: readonly { readonly kind: SecretKind; readonly form: RegExp }[] = [
  // A JSON Web Token: the header and the claims begin with `{"`.
  { kind: "token", form: /^eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]{10,}$/ },
  // SendGrid
  { kind: "api key", form: /^SG\.[\w-]{16,32}\.[\w-]{32,64}$/ },
];

/** Begins and ends a private key in PEM form. */
export const privateKeyBegin = /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g;
export const privateKeyEnd = "-----END ";

/** The user and the password of a URL, directly after `://`. */
export const urlPassword = /[^\s/:@?#"'<>]{0,128}:([^\s/@?#"'<>]{1,256})@/y;

/** Lengths of card numbers by their first digits. */
export const cardForms: readonly { readonly first: RegExp; readonly digits: readonly number[] }[] =
  [
    { first: /^4/, digits: [13, 16, 19] }, // Visa
    { first: /^(?:5[1-5]|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720))/, digits: [16] }, // Mastercard
    { first: /^3[47]/, digits: [15] }, // American Express
    { first: /^(?:6011|64[4-9]|65)/, digits: [16, 19] }, // Discover
    { first: /^35(?:2[89]|[3-8]\d)/, digits: [16] }, // JCB
    { first: /^3(?:0[0-5]|[689])/, digits: [14] }, // Diners Club
    { first: /^62/, digits: [16, 17, 18, 19] }, // UnionPay
  ];

/** Lengths of IBANs by their countries. */
export const ibanLengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BI: 27, BR: 29 },
  ...{ BY: 28, CH: 21, CR: 22, CY: 28, CZ: 24, DE: 22, DJ: 27, DK: 18, DO: 28, EE: 20, EG: 29 },
  ...{ ES: 24, FI: 18, FK: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28 },
  ...{ HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28 },
  ...{ LC: 32, LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MN: 20 },
  ...{ MR: 27, MT: 31, MU: 30, NI: 28, NL: 18, NO: 15, OM: 23, PK: 24, PL: 28, PS: 29, PT: 25 },
  ...{ QA: 29, RO: 24, RS: 22, RU: 33, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27 },
  ...{ SO: 23, ST: 25, SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20, YE: 30 },
};
