/** Days for which the archives of an export can be fetched. */
export const exportDays = 7
/** Above this an export goes on in another archive: what every program can open. */
export const mostArchiveBytes = 1_900_000_000
export const mostArchiveFiles = 60_000

/** Tables that are ours to keep the product running, not the business's records; each with why it is in no export. */
export const leftOut: Readonly<Record<string, string>> = {
  account_emails: 'marks of addresses that sign in, to find them by; the addresses stand in users',
  account_identities: 'with which outside account somebody signs in: opens nothing elsewhere',
  account_links: 'links that reset a password or confirm an address: who has one is let in',
  billing_accounts: 'the account at our payment provider through which the business pays us',
  business_exports: 'the exports themselves',
  counters: 'the next number of each kind; the numbers stand on the records',
  crew_commands: 'keys under which phones sent their work; the work stands in its own records',
  crew_device_people: 'who signed in on which phone',
  crew_devices: 'phones and the keys by which they are known',
  custom_values: 'written by the database from the column custom of customers and properties, to search by',
  employee_invites: 'links that let somebody in',
  events: 'what one part of the product still has to tell another',
  idempotency_keys: 'answers that are kept so that a repeat changes nothing',
  public_tokens: 'links to papers and pages: who has one sees them',
  recovery_codes: 'codes that sign in',
  sender_claims: 'which business writes from a domain; the address stands in sender_domains',
  sender_domain_keys: 'keys that sign mail',
  sessions: 'who is signed in where',
  slugs: 'addresses of the business page, older ones too; today’s stands in businesses',
  support_lookups: 'marks by which support finds a business',
  tour_demos: 'demo businesses for visitors',
  two_factors: 'keys that sign in',
  upload_pieces: 'photos that are still on their way; whole they are files',
}

/** Columns that let somebody in, or say where on our disk something lies. A name that sounds like one is kept back until it is known to be none. */
const soundsSecret = /hash|secret|cipher|token|storage_key/
const noSecret = new Set([
  // what proves that a signed quote is the one that was signed
  'quote_signatures.content_hash',
  'quote_signatures.pdf_hash',
  'quote_signatures.terms_hash',
])
export const isKeptBack = (table: string, column: string): boolean =>
  soundsSecret.test(column) && !noSecret.has(`${table}.${column}`)

/** What the records of each kind are, for who opens the archive years later. */
const kinds: Record<string, string> = {
  allocation_moves: 'when money was put on which invoice and taken off again; their sum is payment_allocations',
  application_records: 'what was applied where, when and by whom, as the law asks it to be kept',
  audit_log: 'who changed what and when',
  business_lead_events: 'what happened with who asked for a price',
  business_leads: 'people who asked for a price, with their stage',
  automation_opt_outs: 'customers who do not get one of the automations',
  automation_runs: 'what became of each message that an automation began',
  automations: 'messages that leave by themselves, with their words',
  businesses: 'the business and its settings',
  campaign_events: 'each opening and click of a campaign’s mail, with what it was judged to be',
  campaign_recipients: 'the frozen audience of each campaign: who got it, and who did not and why',
  campaigns: 'campaigns with what they said; the words stand in content',
  chemical_products: 'products that are applied',
  conversation_notes:
    'internal notes beside the messages of a customer, or of a number that nobody knows; they were never sent',
  conversations: 'whose the conversation with a customer is, until when it rests, and that it is done',
  number_conversations: 'the same of a number that nobody knows',
  credit_notes: 'credits given, with their tax',
  crews: 'crews',
  crew_members: 'who is in which crew from when',
  customer_balances: 'what each customer owes now',
  custom_fields:
    'fields that the business added; their values stand in the column custom of customers and properties, by id',
  customer_contacts: 'who else belongs to a customer and what each receives',
  customer_calls: 'calls that were had, with their notes',
  customer_merges: 'which two records of a customer became one, and when',
  customer_notes: 'notes about customers',
  customers: 'customers',
  expenses: 'what was spent',
  files: 'photos and papers; the folder "files" holds them under the same ids',
  invoice_lines: 'lines of the invoices',
  invoices: 'invoices; opening_from says that one is what was owed before',
  job_lines: 'services of the jobs with price and recurrence',
  jobs: 'jobs',
  ledger_entries: 'every movement of what customers owe; their sum is the balance',
  lead_requests: 'what somebody asked for, each time as they sent it',
  material_moves: 'every count, delivery and use of the materials; their sum is what is on hand',
  material_plans: 'what of a material was calculated for which visit',
  material_wants: 'the purchase list',
  materials: 'what the business buys for lawns and beds, with what is on hand',
  message_templates: 'words for messages, in English and Spanish',
  messages: 'mail and texts, both ways',
  office_tasks: 'what the office is to do, with day and owner',
  payment_allocations: 'which payment paid which invoice',
  payments: 'payments',
  properties: 'properties with their gate codes',
  property_areas: 'measured parts of the properties',
  quote_deposits: 'deposits of the quotes',
  quote_events: 'what happened with each quote and when',
  quote_revisions: 'each version of a quote as it was sent; its lines, packages and options stand in content',
  quote_signatures: 'approvals with their evidence; the signed papers lie in files/signed-quote under the same ids',
  quotes: 'quotes; lines, packages and options stand in content',
  report_mailings: 'when saved reports go out by mail and to whom',
  saved_reports: 'reports that were saved under a name',
  segments: 'conditions under a name that campaigns are made from',
  sender_domains: 'the mail address of the business’s own, with what was found of its records',
  sender_registrations: 'how far the registration of texts with the carriers is',
  services: 'the price book',
  time_entries: 'time that was worked',
  users: 'the people of the business, without passwords',
  visit_lines: 'services of the visits',
  visits: 'visits, planned and done',
}

export const readMe = (business: string, at: string, tables: readonly string[]): string =>
  [
    `${business}: everything Swath keeps for you, written on ${at}.`,
    '',
    'Each file in "records" is one kind of record as CSV (UTF-8, comma, one row a record).',
    'Columns ending in _cents are US cents, in _at instants in UTC. Days are year-month-day.',
    'Rows belong together by their ids: customer_id in invoices.csv is id in customers.csv.',
    'A leading apostrophe keeps a spreadsheet from running a text as a formula; it is not part of the text.',
    '',
    'The folder "files" holds photos and papers by kind; its names begin with the id in files.csv.',
    '',
    'The folder "bring-in" holds customers.csv and jobs.csv for the import of Swath: first the customers, then the jobs.',
    'They bring back customers with contacts, properties, areas, gate codes and tags, tax exemptions, consents and opt-outs, what each owes, and the jobs with their recurrence.',
    '',
    'Not in it: passwords, sign-in links, keys and what only keeps Swath running.',
    '',
    ...tables.map((table) => `records/${table}.csv${kinds[table] ? `: ${kinds[table]}` : ''}`),
    '',
  ].join('\r\n')

const endings: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'application/zip': 'zip',
}

/** Where a file lies in the archive: nothing of its own name can lead out of the folder. */
export const pathOfFile = ({
  id,
  kind,
  name,
  mime,
}: {
  id: string
  kind: string
  name: string
  mime: string
}): string => {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .replace(/^[. ]+/, '')
    .slice(0, 80)
  const ending = endings[mime] ?? 'bin'
  const named = plain === '' ? '' : `-${plain}`
  return `files/${kind.replace(/[^a-z0-9_-]/gi, '') || 'other'}/${id}${named}${named.toLowerCase().endsWith(`.${ending}`) ? '' : `.${ending}`}`
}
