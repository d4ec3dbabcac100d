import { has, type Permission, type Rights } from '../../../shared/roles.ts'
import { applicationColumns } from '../../chemicals/applog/rules.ts'
import type { CellType, Grouping, ReportKind } from '../rules.ts'

/** The columns of each report: which it begins with, and which need a permission of their own. */

export type Column = {
  id: string
  label: string
  type: CellType
  /** Not shown until somebody chooses it. */
  extra?: boolean
  /** Without it the column is not there, neither on the screen nor in a file (decision 024). */
  needs?: Permission
  /** A sum over all rows stands below it. */
  sum?: boolean
}

const text = (id: string, label: string, more: Partial<Column> = {}): Column => ({ id, label, type: 'text', ...more })
const day = (id: string, label: string, more: Partial<Column> = {}): Column => ({ id, label, type: 'day', ...more })
const count = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label,
  type: 'count',
  sum: true,
  ...more,
})
const cents = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label,
  type: 'cents',
  needs: 'money',
  sum: true,
  ...more,
})
const hours = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label,
  type: 'hours',
  sum: true,
  ...more,
})
const minutes = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label: `${label} (min)`,
  type: 'minutes',
  sum: true,
  ...more,
})
const percent = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label,
  type: 'percent',
  ...more,
})
const number = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label,
  type: 'number',
  ...more,
})

const tenths = (id: string, label: string, more: Partial<Column> = {}): Column => ({
  id,
  label,
  type: 'tenths',
  ...more,
})

const nameLabel: Partial<Record<Grouping, string>> = {
  service: 'Service',
  crew: 'Crew',
  city: 'City',
  source: 'Source',
  reason: 'Reason',
  customer: 'Customer',
}

const sales = (by: Grouping | null): Column[] => [
  text('name', nameLabel[by ?? 'service'] ?? 'Service'),
  count('visits', 'Visits'),
  cents('worth', 'Completed work'),
  cents('captured', 'Paid'),
  cents('open', 'Not paid'),
  cents('average', 'Per visit', { sum: false, extra: true }),
  hours('laborHours', 'Labor hours'),
  cents('perHour', 'Per labor hour', { sum: false }),
  percent('share', 'Share', { needs: 'money' }),
]

const routes = (by: Grouping | null): Column[] => [
  ...(by === 'day' ? [] : [text('crew', 'Crew')]),
  ...(by === 'crew' ? [] : [day('day', 'Day')]),
  count('routes', 'Routes', { extra: by === 'route' }),
  count('stops', 'Stops'),
  minutes('plannedDrive', 'Drive planned'),
  minutes('driven', 'Driven'),
  minutes('driveDifference', 'Driven over plan'),
  count('drivesKnown', 'Drives that were tapped', { extra: true }),
  count('clocked', 'Stops with a clock', { extra: true }),
  minutes('plannedWork', 'Work planned'),
  minutes('worked', 'Worked'),
  percent('efficiency', 'Planned of worked'),
  tenths('miles', 'Miles planned', { extra: true, sum: true }),
  tenths('stopsPerHour', 'Stops per hour'),
  percent('driveShare', 'Drive share'),
]

const skips = (by: Grouping | null): Column[] =>
  by === 'visit'
    ? [
        day('day', 'Day'),
        text('customer', 'Customer'),
        text('place', 'Property'),
        text('crew', 'Crew'),
        text('services', 'Services', { extra: true }),
        text('reason', 'Reason'),
        text('note', 'Note'),
        cents('charge', 'Charged'),
      ]
    : [
        text('name', nameLabel[by ?? 'reason'] ?? 'Reason'),
        count('skips', 'Skipped'),
        ...(by === 'reason' ? [] : [count('stops', 'Finished and skipped', { extra: by === 'customer' })]),
        percent('share', by === 'reason' ? 'Share of skips' : 'Skipped in percent'),
        count('charged', 'With a charge'),
        cents('charge', 'Charged'),
      ]

const aging = (by: Grouping | null): Column[] => [
  text('customer', 'Customer'),
  ...(by === 'invoice'
    ? [text('invoice', 'Invoice'), day('issued', 'Issued'), day('due', 'Due'), number('late', 'Days late')]
    : [count('invoices', 'Invoices')]),
  cents('not_due', 'Not due'),
  cents('late_30', '1 to 30'),
  cents('late_60', '31 to 60'),
  cents('late_90', '61 to 90'),
  cents('late_more', 'Over 90'),
  cents('total', 'Open'),
]

const wages = { needs: 'payroll' } as const
const payroll = (by: Grouping | null): Column[] => [
  text('person', 'Person'),
  ...(by === 'week' ? [day('week', 'Week of')] : []),
  text('number', 'Payroll no.', { extra: true }),
  hours('regular', 'Regular hours'),
  hours('overtime', 'Overtime'),
  hours('double', 'Double time', { extra: true }),
  hours('off', 'Paid time off'),
  count('lawns', 'Lawns', { extra: true }),
  cents('piece', 'Pay by the lawn', { ...wages, extra: true }),
  cents('premium', 'Overtime adds', { ...wages, extra: true }),
  cents('gross', 'Gross pay', wages),
  tenths('miles', 'Miles', { extra: true, sum: true }),
  cents('mileage', 'Mileage', wages),
  cents('cost', 'With taxes and insurance', wages),
]

const tax: Column[] = [
  text('tax', 'Tax'),
  text('state', 'State'),
  percent('rate', 'Rate'),
  cents('taxable', 'Taxable work'),
  cents('untaxed', 'Not taxed'),
  cents('invoiced', 'Tax invoiced'),
  cents('collected', 'Tax collected'),
]

const renewals: Column[] = [
  day('due', 'Due'),
  text('customer', 'Customer'),
  text('place', 'Property'),
  text('job', 'Job'),
  text('kind', 'Kind'),
  day('ends', 'Season ends', { extra: true }),
  text('crew', 'Crew', { extra: true }),
  text('state', 'Renewal'),
  cents('perVisit', 'Per visit'),
]

/** All columns of a report. The first one names its rows and always stands. */
export const allColumns = (kind: ReportKind, by: Grouping | null): Column[] => {
  switch (kind) {
    case 'sales':
      return sales(by)
    case 'routes':
      return routes(by)
    case 'skips':
      return skips(by)
    case 'chemicals':
      return applicationColumns.map(({ id, label, extra, type }) => ({ id, label, type, ...(extra ? { extra } : {}) }))
    case 'aging':
      return aging(by)
    case 'payroll':
      return payroll(by)
    case 'tax':
      return tax
    case 'renewals':
      return renewals
  }
}

/** The columns that somebody may have. */
export const columnsFor = (who: Rights, kind: ReportKind, by: Grouping | null): Column[] =>
  allColumns(kind, by).filter(({ needs }) => needs === undefined || has(who, needs))

/**
 * The columns of a report as somebody chose and ordered them; what it does not have or they may not see is left out.
 * @param chosen their ids; without any, or where none is left, those that it begins with
 */
export const chosenColumns = (
  who: Rights,
  kind: ReportKind,
  by: Grouping | null,
  chosen: readonly string[] | null | undefined,
): Column[] => {
  const all = columnsFor(who, kind, by)
  const own = [...new Set(chosen ?? [])].flatMap((id) => all.find((one) => one.id === id) ?? [])
  return own.length > 0 ? own : all.filter(({ extra }) => !extra)
}
