import { stem } from "./stem.ts";

/**
 * Words that people use for one thing, one group per line. Only pairs that hold in most projects: a wrong one finds the wrong
 * page. Words are looked up by their stem: `ship` (a release) is left out because of `shipping`, and `locale` because of `local`.
 */
export const GROUPS = wordsByTopic({
  process: `
    undo revert rollback
    pr mr pullrequest
    pr pull
    review approve approval
    release deploy deployment rollout
    release launch golive
    hotfix patch
    upgrade bump
    bug defect
    issue ticket
    outage incident downtime
    incident postmortem
    oncall pager rota
    runbook playbook
    owner maintainer
    decide decision choose chose chosen
    decision adr
    reason rationale motivation
    convention guideline
    deprecate obsolete sunset
    standup daily
    retrospective retro
    sprint iteration
    onboarding newcomer
    handover handoff
    escalate escalation
    severity priority
    vacation holiday
    changelog releasenotes
    reject refuse
    forbid forbidden prohibit ban
    replace substitute
    alternative option
    mandatory required
  `,
  code: `
    function method
    argument parameter param
    library package dependency
    module package
    repository repo
    directory folder
    documentation docs
    specification spec
    error exception failure
    failure crash
    mock stub fake
    flaky unstable intermittent
    lint linter
    format formatter
    build compile
    refactor restructure
    concurrent concurrency parallel
    asynchronous async
    validate validation
    dedupe deduplicate deduplication
    idempotent idempotency
    config configuration settings
    flag toggle
    debug troubleshoot diagnose
    performance speed
    fixture seed
    retry repeat
    broken fail
    legacy old
    generate generator codegen
    exception throw
  `,
  data: `
    database db
    column field
    migrate migration
    backup snapshot dump
    restore recover recovery
    replica replication
    expire expiry expiration ttl
    queue broker
    job task worker
    batch bulk
    import ingest
    csv spreadsheet excel
    retention retain
    identifier id
    pagination paginate
    row record
    store save persist
    shard partition
    archive archival
    query sql
    transaction atomic
    report analytics
    warehouse analytics
    geo geography location
    map location
    duplicate double
  `,
  operation: `
    server host machine
    environment env
    production prod
    staging preprod
    development dev
    kubernetes k8s
    infrastructure infra
    ci pipeline
    monitor observability
    metric telemetry
    alert alarm
    alert pager
    notify notification
    peak spike
    scale autoscale scalability
    throttle ratelimit
    quota limit
    region location
    proxy gateway
    restart reboot
    uptime availability
    sla slo
    tls ssl
    certificate cert
    dashboard board
    failover switchover
    outage disaster
    node vm
    container image
    canary gradual
    domain dns
    abuse spam
    abuse throttle
    abuse limit
    budget spend
  `,
  security: `
    secret credential
    password passphrase passcode
    auth authentication login signin
    logout signout
    signup registration
    permission privilege authorization
    permission access
    permission role
    authorize authorization
    encrypt encryption cipher
    mfa 2fa otp
    vulnerability cve
    allowlist whitelist
    blocklist blacklist denylist
    rotate rotation
    redact mask
    admin administrator
    token jwt
    sso saml oauth
    audit trail
    bot spam
    cookie session
  `,
  business: `
    customer buyer
    organization organisation org
    supplier vendor
    merchant seller
    pay paid payment charge
    invoice bill
    price cost fee
    refund reimburse reimbursement
    discount coupon voucher promo
    tax vat
    subscription membership
    cancel cancellation
    renew renewal
    purchase buy bought
    cart basket
    booking reservation
    shipping shipment delivery
    courier carrier
    inventory stock
    money currency amount
    sell sold sale
    client customer
    waitlist waiting
    income revenue
  `,
  personalData: `
    privacy gdpr
    personal pii
    delete remove erase purge
    erase erasure forget
    export download
    anonymize anonymise anonymization
    consent optin
    unsubscribe optout
    compliance regulation
    privacy personal
    person individual
  `,
  interface: `
    endpoint route
    endpoint api
    url uri link
    webhook callback
    openapi swagger
    page screen
    popup modal dialog
    style css stylesheet
    color colour
    ui frontend
    picture photo image
    mobile phone smartphone
    email mail
    translation localization language i18n l10n
    accessibility a11y
    upload attachment
    website site
    keyboard screenreader accessibility
    chart graph
    translation translate
    map geocoding
  `,
  time: `
    schedule cron scheduler
    night nightly overnight
    timeout deadline
    timeout limit
    limit maximum max
    delay lag
    timezone zone
    interval frequency
    utc timezone
    dst daylight
    reminder remind
  `,
  localSetup: `
    setup install installation
    locally localhost
    laptop workstation computer
    prerequisite requirement
    tutorial guide howto
    terminal shell
  `,
});
/** The first word also asks for the others, which do not ask for each other. */
export const KINDS = wordsByLine(`
  pr review
  upgrade update
  test spec e2e
  linter eslint ruff pylint
  bundler webpack rollup vite esbuild
  language typescript javascript python rust golang java
  twice duplicate idempotent idempotency
  slow latency performance
  database postgresql postgres mysql mariadb sqlite mongodb
  db postgresql postgres mysql mariadb sqlite mongodb
  schema table column
  cache redis memcached
  queue kafka rabbitmq sqs
  storage s3 bucket blob
  restore backup
  keep retention retain
  cloud aws azure gcp
  ci jenkins circleci
  container docker podman
  cluster kubernetes k8s
  traffic load peak
  infrastructure terraform pulumi ansible
  monitor prometheus grafana datadog
  country region location
  secret password token key apikey
  credential password token key
  customer client user
  purchase order
  money payment price refund
  subscription plan
  gdpr personal pii consent
  phone sms
  sms text
  laptop local locally localhost
  start run
`);

/**
 * What a synonym counts, if the word itself counts 1: less in an index, where many documents have one of them, than among a
 * few texts, where hardly any other does.
 */
export const SYNONYM_WEIGHTS = { inAnIndex: 0.5, amongFewTexts: 0.9 } as const;

/** Other words for a word in lower case; empty if none is known. */
export const synonymsOf = (word: string): readonly string[] => SYNONYMS.get(stem(word)) ?? [];

const SYNONYMS = new Map<string, string[]>();
const add = (word: string, others: readonly string[]) =>
  SYNONYMS.set(stem(word), [...(SYNONYMS.get(stem(word)) ?? []), ...others]);
for (const group of GROUPS) {
  for (const word of group)
    add(
      word,
      group.filter((other) => other !== word),
    );
}
for (const [first = "", ...kinds] of KINDS) add(first, kinds);

function wordsByTopic(topics: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.values(topics).flatMap(wordsByLine);
}

function wordsByLine(text: string): readonly (readonly string[])[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" "));
}
