import { featureOf, isTest, type SourceFile } from './rules.ts'

// Who writes a table. Everybody else calls a command of the owner in the same transaction (`...Tx(db, ...)`) or listens to an event: versions,
// "the plan changed" and live updates stand beside the row and are never forgotten.

/** Tables by their owner: a feature, platform, or local. */
export const tablesOf: Record<string, readonly string[]> = {
  platform: [
    'audit_log',
    'counters',
    'event_looks',
    'events',
    'idempotency_keys',
    'public_tokens',
    'rate_limits',
    'schema_migrations',
    'task_pools',
    'used_tokens',
    'webhook_events',
  ],
  accounts: [
    'account_emails',
    'account_identities',
    'account_links',
    'crew_device_people',
    'crew_devices',
    'employee_invites',
    'recovery_codes',
    'sessions',
    'two_factors',
    'users',
  ],
  analytics: ['analytics_days', 'analytics_job_months', 'analytics_jobs', 'analytics_marks', 'analytics_months'],
  billingplans: [
    'billing_plan_changes',
    'billing_plan_deliveries',
    'billing_plan_last_invoices',
    'billing_plan_lines',
    'billing_plan_months',
    'billing_plans',
  ],
  businesses: ['businesses', 'slugs', 'tax_rates'],
  calendar: ['calendar_events', 'calendar_feeds'],
  chat: ['chat_messages', 'chat_photos', 'chat_readers', 'chat_reads', 'chat_threads'],
  chemicals: [
    'application_amendments',
    'application_records',
    'chemical_mix_products',
    'chemical_mix_services',
    'chemical_mixes',
    'chemical_neighbor_notices',
    'chemical_neighbors',
    'chemical_products',
    'chemical_settings',
    'unrecorded_applications',
  ],
  crewapp: ['crew_commands', 'held_photos', 'photo_marks', 'visit_photos'],
  customers: [
    'custom_fields',
    'custom_values',
    'customer_contacts',
    'customers',
    'gate_code_reveals',
    'properties',
    'property_areas',
  ],
  employees: [
    'crew_changes',
    'crew_members',
    'crews',
    'emergency_contacts',
    'licenses',
    'person_document_files',
    'person_documents',
    'wages',
  ],
  equipment: [
    'equipment',
    'equipment_crews',
    'equipment_plans',
    'equipment_readings',
    'equipment_work',
    'truck_check_settings',
    'truck_checks',
    'truck_defect_photos',
    'truck_defects',
  ],
  expenses: [
    'expense_categories',
    'expense_parts',
    'expense_receipts',
    'expenses',
    'odometer_readings',
    'recurring_expenses',
  ],
  extras: ['extra_consents', 'extra_settings', 'visit_extras'],
  exports: ['business_exports'],
  files: ['files', 'upload_pieces'],
  geocoding: ['geocoded_addresses'],
  imports: ['import_rows', 'imports'],
  invoices: [
    'automatic_invoice_runs',
    'invoice_batches',
    'invoice_lines',
    'invoice_taxes',
    'invoices',
    'late_fees',
    'ledger_entries',
    'month_closings',
    'statement_links',
    'statement_runs',
    'statement_sendings',
    'tax_exemptions',
    'write_offs',
  ],
  jobs: [
    'job_batches',
    'job_edit_jobs',
    'job_edits',
    'job_lines',
    'jobs',
    'minutes_dismissals',
    'price_change_lines',
    'price_changes',
    'programs',
  ],
  leads: [
    'business_lead_events',
    'business_leads',
    'lead_requests',
    'lead_settings',
    'lead_ways',
    'missed_calls',
    'page_bookings',
  ],
  referrals: ['referral_codes', 'referral_rewards'],
  reports: ['report_mailings', 'saved_reports'],
  reviews: ['review_asks', 'review_settings', 'review_totals', 'reviews'],
  local: ['local_billing_objects', 'local_books', 'local_checkout_sessions', 'local_dns_records', 'local_refunds'],
  doorcards: ['door_card_doors', 'door_cards'],
  automations: ['automation_opt_outs', 'automation_runs', 'automation_settings', 'automations'],
  mailings: ['mailings'],
  campaigns: ['campaign_events', 'campaign_recipients', 'campaigns', 'segments'],
  materials: [
    'material_laws_off',
    'material_moves',
    'material_plans',
    'material_settings',
    'material_wants',
    'materials',
  ],
  merges: ['customer_merges', 'property_merges'],
  messages: [
    'consent_events',
    'conversation_notes',
    'conversations',
    'number_conversations',
    'mail_troubles',
    'message_templates',
    'messages',
    'sms_routes',
    'suppressions',
    'text_months',
  ],
  notices: ['customer_notices', 'visit_tellings'],
  notifications: ['notifications', 'notification_digests', 'notification_mutes'],
  push: ['push_devices', 'push_mutes', 'push_sends'],
  owner: ['product_owner_two_factor'],
  payments: [
    'allocation_moves',
    'allocation_reversals',
    'autopay_charges',
    'card_requests',
    'cash_hand_ins',
    'checkout_sessions',
    'credit_note_parts',
    'credit_notes',
    'dispute_covers',
    'dispute_invoices',
    'dispute_turns',
    'disputes',
    'door_receipts',
    'payment_account_lookups',
    'payment_accounts',
    'payment_allocations',
    'payment_methods',
    'payments',
    'payout_lines',
    'payouts',
    'refunds',
    'payment_discounts',
    'tip_moves',
    'tip_shares',
  ],
  portal: ['portal_links', 'portal_requests', 'portal_sessions', 'portal_settings'],
  positions: ['position_consents', 'positions'],
  quotes: [
    'quote_deposits',
    'quote_events',
    'quote_revisions',
    'quote_rules',
    'quote_signatures',
    'quote_templates',
    'quotes',
    'renewal_runs',
    'renewals',
  ],
  quickbooks: ['books_checks', 'books_connections', 'books_left', 'books_links', 'books_queue', 'books_realms'],
  routes: ['crew_days_off', 'route_changes', 'route_runs', 'saved_routes'],
  season: ['season_acceptances', 'season_runs'],
  senders: ['sender_claims', 'sender_domain_keys', 'sender_domains', 'sender_registrations'],
  services: ['service_prices', 'services'],
  subscriptions: [
    'billing_accounts',
    'coupon_uses',
    'coupons',
    'payment_customers',
    'subscription_invoices',
    'subscription_retries',
    'subscriptions',
    'trial_uses',
  ],
  stops: ['stop_settings'],
  support: ['support_grants', 'support_access_log', 'support_visits', 'support_lookups'],
  timeclock: [
    'held_times',
    'meal_premiums',
    'own_car_miles',
    'payroll_file_weeks',
    'payroll_files',
    'payroll_lines',
    'payroll_numbers',
    'payroll_settings',
    'payroll_weeks',
    'time_entries',
    'timesheet_changes',
    'timesheets',
  ],
  tasks: ['customer_calls', 'office_tasks'],
  timeline: ['customer_notes'],
  tour: ['tour_demos'],
  travel: ['travel_times'],
  views: ['saved_views', 'view_defaults'],
  // A route is what a crew was sent of its visits and how far it is with them; the feature routes plans, and writes through these commands.
  visits: ['routes', 'visit_lines', 'visits'],
  weather: ['weather_marks', 'weather_places'],
}

/** Features that work in a schema of their own, where names mean its tables. The desk is the funnel's office. */
const schemas: readonly { name: string; features: readonly string[] }[] = [
  { name: 'prospects', features: ['prospects', 'desk'] },
]

const exceptions: readonly { path: RegExp; tables: readonly string[] | 'all'; verbs: RegExp; why: string }[] = [
  { path: /^src\/features\/system\//, tables: 'all', verbs: /^delete/, why: 'retention deletes what served its time' },
]

const ownerOf = new Map(Object.entries(tablesOf).flatMap(([owner, tables]) => tables.map((table) => [table, owner])))

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const builder = /\b(insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"`]([\w.]+)(?:\s+as\s+\w+)?['"`]/g
const raw =
  /\b(insert\s+into|merge\s+into|delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?"?([a-z_][a-z_0-9.]*)"?|\b(update)\s+(?:only\s+)?"?([a-z_][a-z_0-9.]*)"?(?:\s+(?:as\s+)?[a-z_]\w*)?\s+set\b/g

/** A file without its comments, line for line. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (c) => c.replace(/[^\n]/g, ' ')).replace(/^\s*\/\/.*$/gm, '')

/** What a file writes: verb, table in SQL's spelling, line. Comments are left out. */
export const writesOf = (text: string): { verb: string; table: string; line: number }[] => {
  const code = withoutComments(text)
  const found = [
    ...[...code.matchAll(builder)].map((m) => ({ verb: m[1] ?? '', table: snake(m[2] ?? ''), at: m.index })),
    ...[...code.matchAll(raw)].map((m) => ({ verb: m[1] ?? m[3] ?? '', table: m[2] ?? m[4] ?? '', at: m.index })),
  ]
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...write }) => ({ ...write, line: code.slice(0, at).split('\n').length }))
}

const reads =
  /\b(?:selectFrom|(?:inner|left|right|full|cross)Join|table|ref)\(\s*['"`]([\w.]+)(?:\s+as\s+\w+)?['"`]|\b(?:from|join)\s+(?:only\s+|lateral\s+)?"?([a-z_][a-z_0-9.]*)"?/g

/** Tables of features that a file of the platform reads: what it has to know of them, their feature hands it at start (`src/app-parts.ts`). */
export const checkPlatformReads = ({ path, text }: SourceFile): string[] => {
  if (!/^src\/platform\/.*\.ts$/.test(path) || isTest(path)) return []
  const code = withoutComments(text)
  return [...code.matchAll(reads)].flatMap((match) => {
    const table = snake(match[1] ?? match[2] ?? '')
    const owner = table.startsWith('prospects.') ? 'prospects' : ownerOf.get(table)
    return owner === undefined || owner === 'platform'
      ? []
      : [`line ${code.slice(0, match.index).split('\n').length}: the platform does not read ${table} of ${owner}`]
  })
}

/** Writes of a file on tables of others. Tests, their helpers and the demo's history may write where no command leads. */
export const checkWrites = ({ path, text }: SourceFile): string[] => {
  if (!/^src\/(features|platform|local)\/.*\.ts$/.test(path) || isTest(path)) return []
  const feature = featureOf(path)
  const self = feature ?? path.split('/')[1]
  const schema = schemas.find((one) => feature !== null && one.features.includes(feature))
  return writesOf(text).flatMap(({ verb, table, line }) => {
    if (schema) return []
    const owner = ownerOf.get(table)
    if (owner === self) return []
    const allowed = exceptions.some(
      (one) => one.path.test(path) && (one.tables === 'all' || one.tables.includes(table)) && one.verbs.test(verb),
    )
    if (allowed) return []
    return owner
      ? [`line ${line}: ${table} is written by ${owner} alone; call one of its commands, or listen to an event`]
      : [`line ${line}: ${table} has no owner; name it in scripts/structure/tables.ts`]
  })
}
