/** Days for which the archives of an export can be fetched. */
export const exportDays = 7
/** Above this an export goes on in another archive: what every program can open. */
export const mostArchiveBytes = 1_900_000_000
export const mostArchiveFiles = 60_000

/** What the records of each kind are, for who opens the archive years later. */
const kinds: Record<string, string> = {
  application_records: 'what was applied where, when and by whom, as the law asks it to be kept',
  audit_log: 'who changed what and when',
  businesses: 'the business and its settings',
  chemical_products: 'products that are applied',
  credit_notes: 'credits given, with their tax',
  crews: 'crews',
  crew_members: 'who is in which crew from when',
  customer_balances: 'what each customer owes now',
  custom_fields:
    'fields that the business added; their values stand in the column custom of customers and properties, by id',
  customer_contacts: 'who else belongs to a customer and what each receives',
  customers: 'customers and leads',
  expenses: 'what was spent',
  files: 'photos and papers; the folder "files" holds them under the same ids',
  invoice_lines: 'lines of the invoices',
  invoices: 'invoices; opening_from says that one is what was owed before',
  job_lines: 'services of the jobs with price and recurrence',
  jobs: 'jobs',
  ledger_entries: 'every movement of what customers owe; their sum is the balance',
  messages: 'mail and texts, both ways',
  payment_allocations: 'which payment paid which invoice',
  payments: 'payments',
  properties: 'properties with their gate codes',
  property_areas: 'measured parts of the properties',
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
