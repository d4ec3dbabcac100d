import { sql } from 'kysely'
import { type TenantDb, type TenantScope, withTenant } from '../../../../platform/db/tenant.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { csvText } from '../../../../shared/csv.ts'
import { type CustomField, type CustomValues, customText } from '../../../customers/custom/rules.ts'
import { listCustomFields } from '../../../customers/custom/server/queries.ts'
import { plainDollars } from '../../../invoices/exports/rules.ts'

/** What brings a business in again: the files that the preset "Swath" reads, page by page. */

const pageSize = 500
const firstId = '00000000-0000-0000-0000-000000000000'

export const customerColumns = [
  'Swath customer',
  'Name',
  'Company',
  'Email',
  'Phone',
  'Customer type',
  'Stage',
  'Archived',
  'Tags',
  'Notes',
  'Billing street',
  'Billing city',
  'Billing state',
  'Billing ZIP',
  'Street',
  'Unit',
  'City',
  'State',
  'ZIP',
  'Latitude',
  'Longitude',
  'Lawn size (sq ft)',
  'Mow height',
  'Gate code',
  'Dog',
  'Parking',
  'No-go zones',
  'Property notes',
  'Open balance',
  'Swath contacts',
  'Swath areas',
  'Swath details',
  'Swath fields',
] as const

export const jobColumns = [
  'Swath customer',
  'Name',
  'Street',
  'Unit',
  'City',
  'State',
  'ZIP',
  'Service',
  'Start date',
  'Swath job',
] as const

type Text = string | null
type CustomerRow = Record<
  | 'name'
  | 'company'
  | 'email'
  | 'phone'
  | 'type'
  | 'stage'
  | 'notes'
  | 'billingStreet'
  | 'billingCity'
  | 'billingState'
  | 'billingZip'
  | 'street'
  | 'unit'
  | 'city'
  | 'state'
  | 'zip'
  | 'gateCodeCipher'
  | 'dog'
  | 'parking'
  | 'noGo'
  | 'propertyNotes',
  Text
> & {
  id: string
  tags: string[]
  archived: boolean
  isFirst: boolean
  latitude: number | null
  longitude: number | null
  lawnSquareFeet: number | null
  mowHeightInches: number | null
  balanceCents: number
  contacts: unknown
  areas: unknown
  details: Record<string, unknown>
  words: unknown
  shut: unknown
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Custom fields by their names, for a business that knows none of ours. */
const named = (fields: readonly CustomField[], values: unknown): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = customText(field, (values as CustomValues)[field.id], { file: true })
      return text === '' ? [] : [[field.name, text]]
    }),
  )

const definitions = (fields: readonly CustomField[]): string | null =>
  fields.length === 0
    ? null
    : JSON.stringify(
        fields.map(({ record, name, type, choices }) => ({
          record,
          name,
          type,
          choices: choices.map((choice) => choice.name),
        })),
      )

/** Where a customer and their contacts are written to, as messages know it. */
const addresses = sql`(select 'sms' as channel, c.phone as address union select 'email', lower(trim(c.email))
  union select 'sms', k.phone from customer_contacts k where k.business_id = c.business_id and k.customer_id = c.id
  union select 'email', lower(trim(k.email)) from customer_contacts k where k.business_id = c.business_id and k.customer_id = c.id)`
/** Words on consent of one customer that are carried, the newest: the last one is what counts. */
const mostWords = 200

const readCustomers = async (db: TenantDb, after: string): Promise<CustomerRow[]> => {
  const { rows } = await sql<CustomerRow>`
    with page as (select * from customers where business_id = ${db.businessId} and id > ${after}::uuid order by id limit ${pageSize})
    select c.id, c.name, c.company, c.email, c.phone, c.type, c.stage, c.tags, c.archived_at is not null as archived, c.notes,
      c.billing_street, c.billing_city, c.billing_state, c.billing_zip,
      p.street, p.unit, p.city, p.state, p.zip, p.latitude, p.longitude, p.lawn_square_feet, p.mow_height_inches::float8 as mow_height_inches,
      p.gate_code_cipher, p.dog, p.parking, p.no_go, p.notes as property_notes,
      row_number() over (partition by c.id order by p.created_at, p.id) = 1 as is_first,
      coalesce((select b.balance_cents from customer_balances b where b.business_id = c.business_id and b.customer_id = c.id), 0)::float8 as balance_cents,
      (select jsonb_agg(jsonb_build_object('name', k.name, 'role', k.role, 'email', k.email, 'phone', k.phone, 'note', k.note, 'invoicesBy', k.invoices_by,
        'quotesBy', k.quotes_by, 'visitsBy', k.visits_by, 'marketingBy', k.marketing_by) order by k.id)
        from customer_contacts k where k.business_id = c.business_id and k.customer_id = c.id) as contacts,
      (select jsonb_agg(jsonb_build_object('kind', a.kind, 'name', a.name, 'squareFeet', a.square_feet, 'feetAround', a.feet_around, 'rings', a.rings)
        order by a.position, a.id) from property_areas a where a.business_id = p.business_id and a.property_id = p.id) as areas,
      jsonb_build_object('termsDays', c.terms_days, 'invoiceGrouping', c.invoice_grouping, 'holdInvoices', c.hold_invoices, 'noLateFees', c.no_late_fees, 'autoInvoices', c.auto_invoices, 'language', c.language,
        'gets', c.gets, 'source', c.source, 'paperWay', c.paper_way, 'taxExempt', c.tax_exempt, 'taxCertificate', c.tax_certificate,
        'exemptions', (select coalesce(jsonb_agg(jsonb_build_object('certificate', e.certificate, 'state', e.state, 'validFrom', e.valid_from,
          'validUntil', e.valid_until) order by e.valid_from, e.id), '[]'::jsonb)
          from (select * from tax_exemptions x where x.business_id = c.business_id and x.customer_id = c.id and x.removed_at is null
            order by x.valid_from desc, x.id limit 50) e),
        'tags', c.tags, 'custom', c.custom, 'propertyCustom', coalesce(p.custom, '{}'::jsonb), 'property', case when p.id is null then null else
          jsonb_build_object('difficulty', p.difficulty, 'clippings', p.clippings, 'geocodeQuality', p.geocode_quality) end) as details,
      (select coalesce(jsonb_agg(jsonb_build_object('channel', w.channel, 'address', w.address, 'purpose', w.purpose, 'action', w.action,
        'source', w.source, 'wording', w.wording, 'saidOn', w.said_on, 'at', w.at) order by w.at, w.id), '[]'::jsonb)
        from (select e.* from ${addresses} a join consent_events e on e.business_id = c.business_id and e.channel = a.channel
          and e.address = a.address order by e.at desc, e.id desc limit ${mostWords}) w) as words,
      (select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'purpose', s.purpose, 'reason', s.reason,
        'at', s.at) order by s.channel, s.address, s.purpose), '[]'::jsonb)
        from ${addresses} a join suppressions s on s.business_id = c.business_id and s.channel = a.channel and s.address = a.address) as shut
    from page c left join properties p on p.business_id = ${db.businessId} and p.customer_id = c.id and p.archived_at is null
    order by c.id, p.created_at, p.id`.execute(db)
  return rows
}

const cellsOfCustomer = (
  row: CustomerRow,
  fields: readonly CustomField[],
  brings: string | null,
): (string | number | null)[] => [
  row.id,
  row.name,
  row.company,
  row.email,
  row.phone,
  row.type,
  row.stage,
  row.archived ? 'yes' : 'no',
  row.tags.join('; '),
  row.notes,
  row.billingStreet,
  row.billingCity,
  row.billingState,
  row.billingZip,
  row.street,
  row.unit,
  row.city,
  row.state,
  row.zip,
  row.latitude,
  row.longitude,
  row.lawnSquareFeet,
  row.mowHeightInches,
  row.gateCodeCipher === null ? null : decryptField(row.gateCodeCipher),
  row.dog,
  row.parking,
  row.noGo,
  row.propertyNotes,
  row.isFirst && row.balanceCents !== 0 ? plainDollars(row.balanceCents) : null,
  row.isFirst ? json(row.contacts) : null,
  json(row.areas),
  json({
    ...row.details,
    ...(row.isFirst ? { words: row.words, shut: row.shut } : {}),
    custom: named(fields, row.details.custom),
    propertyCustom: named(fields, row.details.propertyCustom),
  }),
  brings,
]

type JobRow = Record<
  'customerId' | 'name' | 'street' | 'unit' | 'city' | 'state' | 'zip' | 'services' | 'startOn',
  string
> & { id: string; job: unknown }

const readJobs = async (db: TenantDb, after: string): Promise<JobRow[]> => {
  const { rows } = await sql<JobRow>`
    select j.id, j.customer_id, c.name, p.street, p.unit, p.city, p.state, p.zip, j.start_on,
      (select string_agg(s.name, ', ' order by l.position) from job_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null) as services,
      jsonb_build_object('title', j.title, 'instructions', j.instructions, 'poNumber', j.po_number, 'billing', j.billing, 'startOn', j.start_on,
        'endOn', j.end_on, 'status', j.status, 'pausedUntil', j.paused_until, 'lines',
        (select jsonb_agg(jsonb_build_object('service', s.name, 'description', l.description, 'quantity', l.quantity::float8,
          'priceCents', l.unit_price_cents, 'minutes', l.budget_minutes, 'recurrence', l.recurrence, 'onceOn', l.once_on, 'undated', l.undated)
          order by l.position, l.id) from job_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
          where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null)) as job
    from jobs j join customers c on c.business_id = j.business_id and c.id = j.customer_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    where j.business_id = ${db.businessId} and j.id > ${after}::uuid and j.status in ('active', 'draft', 'paused') and p.archived_at is null
      and exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null)
    order by j.id limit ${pageSize}`.execute(db)
  return rows
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/** The customers of a business with their properties, a row a property, as pieces of a CSV. */
export async function* bringInCustomers(scope: TenantScope): AsyncGenerator<string> {
  yield csvText([customerColumns])
  const fields = (await withTenant(scope, listCustomFields)).filter(({ archivedAt }) => archivedAt === null)
  let brings = definitions(fields)
  for (let after = firstId; ; ) {
    const rows = await withTenant(scope, (db) => readCustomers(db, after))
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const cells = rows.map((row, at) => cellsOfCustomer(row, fields, at === 0 ? brings : null))
    brings = null
    yield withoutMark(csvText(cells))
  }
}

/** The jobs that go on, a row each, as pieces of a CSV. */
export async function* bringInJobs(scope: TenantScope): AsyncGenerator<string> {
  yield csvText([jobColumns])
  for (let after = firstId; ; ) {
    const rows = await withTenant(scope, (db) => readJobs(db, after))
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    yield withoutMark(
      csvText(
        rows.map((row) => [
          row.customerId,
          row.name,
          row.street,
          row.unit,
          row.city,
          row.state,
          row.zip,
          row.services,
          row.startOn,
          json(row.job),
        ]),
      ),
    )
  }
}
