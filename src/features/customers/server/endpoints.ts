import { hasPermission, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { csvText } from '../../../shared/csv.ts'
import { dayOf } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { findPlan, planForCustomers, plans } from '../../billing/rules.ts'
import { customersApi } from '../contract.ts'
import { type CustomField, customHeader, customText } from '../custom/rules.ts'
import { listCustomFields } from '../custom/server/queries.ts'
import {
  addProperty,
  archiveCustomer,
  archiveProperty,
  changeCustomers,
  createCustomer,
  revealGateCode,
  setLocation,
  unarchiveCustomer,
  unarchiveProperty,
  updateCustomer,
  updateProperty,
} from './commands.ts'
import { listFacets } from './facets.ts'
import { countViews, getCustomer, getCustomerLimit, listCustomers, listExportRows, listPins } from './queries.ts'

const money = (who: Who) => ({ money: who.kind === 'user' && hasPermission(who, 'money') })

type ExportRow = Awaited<ReturnType<typeof listExportRows>>[number]

/** Headers that the import knows again. */
const exportColumns: [header: string, cell: (row: ExportRow) => string | number | null][] = [
  ...Object.entries({
    Name: 'name',
    Company: 'company',
    Email: 'email',
    Phone: 'phone',
    Street: 'street',
    Unit: 'unit',
    City: 'city',
    State: 'state',
    ZIP: 'zip',
    Latitude: 'latitude',
    Longitude: 'longitude',
    'Lawn sq ft': 'lawnSquareFeet',
    'Mow height': 'mowHeightInches',
    Dog: 'dog',
    Parking: 'parking',
    'No-go zones': 'noGo',
    'Property notes': 'propertyNotes',
    Tags: 'tags',
    Notes: 'notes',
    Stage: 'stage',
    Type: 'type',
    'Billing street': 'billingStreet',
    'Billing city': 'billingCity',
    'Billing state': 'billingState',
    'Billing ZIP': 'billingZip',
  }).map(([header, key]): [string, (row: ExportRow) => string | number | null] => [
    header,
    (row) => {
      const value = row[key] ?? null
      if (key === 'phone' && typeof value === 'string') return formatPhone(value)
      return Array.isArray(value) ? value.join(', ') : value
    },
  ]),
  ['Balance', (row) => (typeof row.balanceCents === 'number' ? (row.balanceCents / 100).toFixed(2) : null)],
]

/** A custom field as a column that the import knows again by its name. */
const customColumn = (field: CustomField): (typeof exportColumns)[number] => [
  customHeader(
    field,
    exportColumns.map(([header]) => header),
  ),
  (row) =>
    customText(field, (field.record === 'customer' ? row.custom : row.propertyCustom)?.[field.id], { file: true }),
]

export const customersEndpoints = serve(
  'customers',
  customersApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listCustomers(db, query, money(actor))),
  counts: ({ actor }) =>
    withTenant(actor, async (db) => {
      const views = await countViews(db)
      const { limit, planTier, active } = await getCustomerLimit(db)
      const next = limit === null ? null : planForCustomers(Math.max(active, limit) + 1)
      return { ...views, limit, planName: (findPlan(planTier) ?? plans[0]).name, nextPlanName: next?.name ?? null }
    }),
  map: ({ actor, query }) => withTenant(actor, (db) => listPins(db, query)),
  facets: ({ actor }) => withTenant(actor, listFacets),
  exportCsv: async ({ actor, query, reply }) => {
    const [rows, fields] = await withTenant(actor, async (db) => [
      await listExportRows(db, query, money(actor)),
      (await listCustomFields(db)).filter(({ archivedAt }) => archivedAt === null),
    ])
    const columns = [...exportColumns, ...fields.map(customColumn)]
    const text = csvText([
      columns.map(([header]) => header),
      ...rows.map((row) => columns.map(([, cell]) => cell(row))),
    ])
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="customers-${dayOf(clock.now(), actor.timeZone)}.csv"`)
      .serializer((body: unknown) => String(body))
    return text
  },
  get: ({ actor, params }) => withTenant(actor, (db) => getCustomer(db, actor, params.id)),
  create: ({ actor, body }) => createCustomer(actor, body),
  update: ({ actor, params, body }) => updateCustomer(actor, params.id, body),
  archive: ({ actor, params }) => archiveCustomer(actor, params.id),
  unarchive: ({ actor, params }) => unarchiveCustomer(actor, params.id),
  bulk: ({ actor, body }) => changeCustomers(actor, body.choice, body.action),
  addProperty: ({ actor, params, body }) => addProperty(actor, params.id, body),
  updateProperty: ({ actor, params, body }) => updateProperty(actor, params.id, body),
  setLocation: ({ actor, params, body }) => setLocation(actor, params.id, body),
  archiveProperty: ({ actor, params }) => archiveProperty(actor, params.id),
  unarchiveProperty: ({ actor, params }) => unarchiveProperty(actor, params.id),
  revealGateCode: async ({ actor, params }) => ({ gateCode: await revealGateCode(actor, params.id) }),
})
