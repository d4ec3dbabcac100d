import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, daysBetween, startOfWeek } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { averageCents, perLaborHour, shareOf } from '../../analytics/rules.ts'
import { listSales } from '../../analytics/sales/server/queries.ts'
import { applicationColumns } from '../../chemicals/applog/rules.ts'
import { listForReport } from '../../chemicals/records/server/queries.ts'
import { listOpenAsOf } from '../../invoices/aging/server/queries.ts'
import { ageNames, invoiceName } from '../../invoices/rules.ts'
import { addSums, workLabel } from '../../invoices/taxreport/rules.ts'
import { sumCollectedTax, sumTax } from '../../invoices/taxreport/server/queries.ts'
import { answerLabel } from '../../quotes/renewals/rules.ts'
import { listRenewalsDue } from '../../quotes/renewals/server/queries.ts'
import { listRouteSums, type RouteSums } from '../../routes/efficiency/server/queries.ts'
import { listWeekPays, namesAndNumbers } from '../../timeclock/payroll/server/queries.ts'
import { skipReasonLabel } from '../../visits/rules.ts'
import { listSkipGroups, listSkips } from '../../visits/skips/server/queries.ts'
import type { ReportSettings } from '../contract.ts'
import { type Cell, cappedText, type Grouping, mostRows, type ReportKind, type Span } from '../rules.ts'

/** The rows of each report, read from the features that own what they are made of. */

export type Row = {
  key: string
  href?: string | null
  visitId?: string | null
  narrow?: Record<string, string> | null
  values: Record<string, Cell>
}
export type Rows = { rows: Row[]; total: Record<string, Cell> | null; count: number; notes: string[] }
type Wanted = { span: Span; by: Grouping | null; settings: ReportSettings; today: Day }
type Read = (db: TenantDb, actor: Actor, wanted: Wanted) => Promise<Rows>

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((all, one) => all + of(one), 0)

const sales: Read = async (db, _actor, { span, by, settings }) => {
  const kind = by === 'crew' || by === 'city' || by === 'source' ? by : 'service'
  const { rows, total } = await listSales(db, span, kind, settings.crewId)
  const valuesOf = (one: Omit<(typeof rows)[number], 'key' | 'name'>): Record<string, Cell> => ({
    visits: one.completions,
    worth: one.worthCents,
    captured: one.capturedCents,
    open: one.worthCents - one.capturedCents,
    average: averageCents(one.worthCents, one.completions),
    laborHours: one.laborSeconds,
    perHour: perLaborHour(one.clockedWorthCents, one.clockedLaborSeconds),
    share: shareOf(one.worthCents, total.worthCents),
  })
  return {
    rows: rows.map((one) => ({
      key: one.key,
      narrow: { of: one.key === '' ? 'none' : one.key },
      values: { name: one.name, ...valuesOf(one) },
    })),
    total: total.completions > 0 ? valuesOf(total) : null,
    count: rows.length,
    notes:
      sum(rows, ({ completions }) => completions) > total.completions
        ? ['A visit with several services counts in the row of each and once in the total. Its money is divided.']
        : [],
  }
}

const metersPerMile = 1609.344
const tenth = (value: number): number => Math.round(value * 10) / 10

const routes: Read = async (db, _actor, { span, by, settings }) => {
  const kind = by === 'day' || by === 'route' ? by : 'crew'
  const { rows, total, count } = await listRouteSums(db, span, kind, settings.crewId, mostRows)
  const valuesOf = (one: RouteSums): Record<string, Cell> => ({
    routes: one.routes,
    stops: one.stops,
    plannedDrive: one.plannedDriveSeconds,
    driven: one.drivesKnown === 0 ? null : one.drivenSeconds,
    driveDifference: one.drivesKnown === 0 ? null : one.driveDifferenceSeconds,
    drivesKnown: one.drivesKnown,
    clocked: one.clocked,
    plannedWork: one.plannedWorkSeconds,
    worked: one.workedSeconds,
    efficiency: one.workedSeconds === 0 ? null : shareOf(one.plannedWorkSeconds, one.workedSeconds),
    miles: tenth(one.driveMeters / metersPerMile),
    stopsPerHour: one.crewSeconds === 0 ? null : tenth((one.clocked * 3600) / one.crewSeconds),
    driveShare: one.laborSeconds === 0 ? null : shareOf(one.driveLaborSeconds, one.laborSeconds),
  })
  const untapped = total.completed - total.drivesKnown
  const unclocked = total.completed - total.clocked
  return {
    rows: rows.map((one) => ({
      key: [one.crewId, one.day].filter(Boolean).join(' '),
      href:
        kind === 'crew' || one.day === null ? null : linkTo.routeDay(one.day, one.crewId ? { crewId: one.crewId } : {}),
      narrow: kind === 'crew' && one.crewId ? { by: 'route', crewId: one.crewId } : null,
      values: { crew: one.crew ?? '', day: one.day, ...valuesOf(one) },
    })),
    total: total.routes > 0 ? valuesOf(total) : null,
    count,
    notes:
      total.routes === 0
        ? []
        : [
            'Work is counted for each person, drives for the crew. The drive share is of planned drives, as in Analytics.',
            ...(untapped > 0
              ? [
                  `Driven minutes are known where a crew tapped “on the way”: at ${total.drivesKnown.toLocaleString('en-US')} of ${total.completed.toLocaleString('en-US')} stops. “Driven over plan” compares these alone.`,
                ]
              : []),
            ...(unclocked > 0
              ? [
                  `Work was clocked at ${total.clocked.toLocaleString('en-US')} of ${total.completed.toLocaleString('en-US')} finished stops. Planned and worked minutes and stops per hour are of these alone.`,
                ]
              : []),
          ],
  }
}

const skips = async (db: TenantDb, _actor: Actor, { span, by, settings }: Wanted): Promise<Rows> => {
  const { reason, crewId, customerId } = settings
  const filter = { reason, crewId, customerId }
  if (by === 'visit') {
    const { rows, total } = await listSkips(db, span, filter, mostRows)
    return {
      rows: rows.map((one) => ({
        key: one.id,
        visitId: one.id,
        values: {
          day: one.day,
          customer: one.customer,
          place: one.place,
          crew: one.crew ?? '',
          services: one.services,
          reason: skipReasonLabel(one.reason ?? 'other'),
          note: one.note,
          charge: one.chargeCents,
        },
      })),
      total: total.skips > 0 ? { charge: total.chargeCents } : null,
      count: total.skips,
      notes: [],
    }
  }
  const kind = by === 'crew' || by === 'customer' ? by : 'reason'
  const { rows, total, count } = await listSkipGroups(db, span, kind, filter, mostRows)
  const whole = (one: { skips: number; stops: number }) => (kind === 'reason' ? total.skips : one.stops)
  const nameOf = ({ key, name }: (typeof rows)[number]): string =>
    kind === 'reason' ? skipReasonLabel(key ?? 'other') : (name ?? 'Without a crew')
  const narrowOf = (key: string | null): Record<string, string> | null =>
    key === null && kind !== 'crew'
      ? null
      : { by: 'visit', [{ reason: 'reason', crew: 'crewId', customer: 'customerId' }[kind]]: key ?? 'none' }
  return {
    rows: rows.map((one) => ({
      key: one.key ?? 'none',
      narrow: narrowOf(one.key),
      values: {
        name: nameOf(one),
        skips: one.skips,
        stops: one.stops,
        share: shareOf(one.skips, whole(one)),
        charged: one.charged,
        charge: one.chargeCents,
      },
    })),
    total:
      total.skips > 0
        ? {
            skips: total.skips,
            stops: total.stops,
            share: shareOf(total.skips, whole(total)),
            charged: total.charged,
            charge: total.chargeCents,
          }
        : null,
    count: total.skips > 0 ? count : 0,
    notes: [],
  }
}

const chemicals: Read = async (db, actor, { span, settings }) => {
  const { state, productId } = settings
  const { records, count } = await listForReport(db, actor, { ...span, state, productId })
  const rows = records.flatMap((record) =>
    record.facts.products
      // a mix has other products too
      .filter((product) => productId === undefined || product.productId === productId)
      .map((product, at) => ({
        key: `${record.id} ${at}`,
        visitId: record.visitId,
        href: record.visitId ? null : linkTo.chemicals(),
        values: Object.fromEntries(
          applicationColumns.map(({ id, of }) => [id, of(record, product, actor.timeZone) ?? null]),
        ),
      })),
  )
  const cut = rows.length > mostRows || count > records.length
  return {
    rows: rows.slice(0, mostRows),
    total: null,
    count: rows.length,
    notes: cut
      ? [
          `Not all is in this: ${Math.min(rows.length, mostRows).toLocaleString('en-US')} rows of the newest of ${count.toLocaleString('en-US')} records. Choose a shorter period or a filter for the rest.`,
        ]
      : [],
  }
}

const aging: Read = async (db, _actor, { span, by, settings, today }) => {
  const kind = by === 'invoice' ? by : 'customer'
  const { customerId } = settings
  const { rows, total, count } = await listOpenAsOf(db, { asOf: span.to, today, by: kind, customerId, most: mostRows })
  const agesOf = (one: (typeof rows)[number] | typeof total): Record<string, Cell> => ({
    invoices: one.invoices,
    ...Object.fromEntries(ageNames.map((age) => [age, one[age]])),
    total: one.totalCents,
  })
  return {
    rows: rows.map((one) => ({
      key: one.id ?? one.customerId,
      href: one.id ? linkTo.invoice(one.id) : linkTo.customer(one.customerId, { part: 'invoices' }),
      values: {
        customer: one.customer,
        invoice: one.number === null ? null : invoiceName(one.number),
        issued: one.issueOn,
        due: one.dueOn,
        late: one.dueOn ? Math.max(0, daysBetween(one.dueOn, span.to)) : null,
        ...agesOf(one),
      },
    })),
    total: count > 0 ? agesOf(total) : null,
    count,
    notes:
      span.to < today && count > 0
        ? [
            'A payment counts on the day it came, or was put on its invoice. What went back is open again from the day it did.',
          ]
        : [],
  }
}

const payroll: Read = async (db, actor, { span, by, settings }) => {
  // a week is of the period in which it ends, so that no two periods beside each other pay it twice
  const weeks = { from: startOfWeek(span.from), to: addDays(startOfWeek(addDays(span.to, 1)), -1) }
  const found = weeks.to < weeks.from ? { weeks: [], notApproved: [] } : await listWeekPays(db, actor, weeks)
  const own = settings.personId ? found.weeks.filter(({ userId }) => userId === settings.personId) : found.weeks
  const open = settings.personId
    ? found.notApproved.filter(({ userId }) => userId === settings.personId)
    : found.notApproved
  const people = await namesAndNumbers(db, [...new Set(own.map(({ userId }) => userId))])
  const valuesOf = (list: typeof own): Record<string, Cell> => ({
    regular: sum(list, (one) => one.regularSeconds),
    overtime: sum(list, (one) => one.overtimeSeconds),
    double: sum(list, (one) => one.doubleSeconds),
    off: sum(list, (one) => one.offSeconds),
    lawns: sum(list, (one) => one.lawns),
    piece: sum(list, (one) => one.pieceCents),
    premium: sum(list, (one) => one.premiumCents),
    gross: sum(list, (one) => one.grossCents),
    miles: sum(list, (one) => one.tenthMiles) / 10,
    mileage: sum(list, (one) => one.mileageCents),
    cost: sum(list, (one) => one.costCents),
  })
  const rows = people.flatMap(({ id, name, number }): Row[] => {
    const theirs = own.filter(({ userId }) => userId === id)
    const groups = by === 'week' ? theirs.map((one) => [one]) : [theirs]
    return groups.map((list) => ({
      key: by === 'week' ? `${id} ${list[0]?.week}` : id,
      href: linkTo.timesheets({ personId: id, ...(list.at(-1) ? { week: list.at(-1)?.week ?? '' } : {}) }),
      values: { person: name, number: number ?? '', week: list[0]?.week ?? null, ...valuesOf(list) },
    }))
  })
  return {
    rows: rows.slice(0, mostRows),
    total: rows.length > 0 ? valuesOf(own) : null,
    count: rows.length,
    notes: [
      ...(weeks.from < span.from || weeks.to < span.to
        ? ['Pay goes by whole weeks, Monday to Sunday: a week is in the period in which it ends.']
        : []),
      ...(open.length > 0
        ? [
            `${open.length === 1 ? 'One week is' : `${open.length.toLocaleString('en-US')} weeks are`} not approved yet and not in it: ${[...new Set(open.map(({ name }) => name))].slice(0, 5).join(', ')}.`,
          ]
        : []),
    ],
  }
}

const tax: Read = async (db, _actor, { span, settings }) => {
  const inState = ({ state }: { state?: string | null }): boolean => !settings.state || state === settings.state
  const { taxes, work, restCents, writtenOffCents } = await sumTax(
    db,
    span,
    async (query) => (await query.execute(db)).rows,
  )
  const collected = await sumCollectedTax(db, span)
  const keyOf = (one: { name: string; ratePercent: number; state?: string }) =>
    `${one.name}:${one.ratePercent}:${one.state ?? ''}`
  const rates = addSums([
    { taxes, work: [] },
    { taxes: collected.map((one) => ({ ...one, taxCents: 0 })), work: [] },
  ]).taxes.filter(inState)
  const unplaced =
    settings.state !== undefined && [...taxes, ...collected].some((one) => !one.state && one.taxCents !== 0)
  const received = new Map(collected.map((one) => [keyOf(one), one.taxCents]))
  const untaxed = work
    .filter(({ treatment, netCents }) => treatment !== 'taxed' && treatment !== null && netCents !== 0)
    .filter(inState)
  const rows: Row[] = [
    ...rates
      .filter((one) => one.baseCents !== 0 || one.taxCents !== 0 || (received.get(keyOf(one)) ?? 0) !== 0)
      .sort((a, b) => (a.name === b.name ? a.ratePercent - b.ratePercent : a.name < b.name ? -1 : 1))
      .map((one) => ({
        key: keyOf(one),
        values: {
          tax: one.name,
          state: one.state || null,
          rate: one.ratePercent,
          taxable: one.baseCents,
          untaxed: null,
          invoiced: one.taxCents,
          collected: received.get(keyOf(one)) ?? 0,
        },
      })),
    ...untaxed
      .sort((a, b) => (workLabel(a) < workLabel(b) ? -1 : 1))
      .map((one) => ({
        key: `${one.state}:${one.treatment}`,
        values: {
          tax: workLabel(one),
          state: one.state,
          rate: null,
          taxable: null,
          untaxed: one.netCents,
          invoiced: null,
          collected: null,
        },
      })),
    ...(restCents !== 0 && !settings.state
      ? [
          {
            key: 'rest',
            values: {
              tax: 'Credited, of no rate',
              state: null,
              rate: null,
              taxable: null,
              untaxed: null,
              invoiced: -restCents,
              collected: null,
            },
          },
        ]
      : []),
  ]
  const add = (id: string): number => sum(rows, ({ values }) => Number(values[id] ?? 0))
  return {
    rows: rows.map((row) => ({ ...row, href: linkTo.invoices({ view: 'all' }) })),
    // a rate and another on top of it are charged on the same work, so what is taxable adds up to nothing that anybody asks for
    total: rows.length > 0 ? { untaxed: add('untaxed'), invoiced: add('invoiced'), collected: add('collected') } : null,
    count: rows.length,
    notes: [
      ...(unplaced
        ? ['There is tax of which no state is known: it is in no state here. Take the state out to see it.']
        : []),
      ...(rows.length === 0
        ? []
        : [
            'Invoiced is by the day of the ledger, less what was voided or credited in these days. Collected is the tax in payments that were put on invoices in these days, less what went back in them.',
            ...(writtenOffCents !== 0 ? ['Tax in what was written off is not taken off.'] : []),
            'Which work is taxed is what your settings say. Check with your accountant.',
          ]),
    ],
  }
}

const renewals: Read = async (db, _actor, { span, settings }) => {
  const { rows, count, perVisitCents } = await listRenewalsDue(db, span, settings.crewId, mostRows)
  return {
    rows: rows.map((one) => ({
      key: one.jobId,
      href: one.runId ? linkTo.renewalRun(one.runId) : linkTo.job(one.jobId),
      values: {
        due: one.due,
        customer: one.customer,
        place: one.place,
        job: `#${one.number} ${one.title}`.trim(),
        kind: one.isProgram ? 'Program' : 'Season',
        ends: one.endsOn,
        crew: one.crew ?? '',
        state: one.answer
          ? answerLabel[one.answer]
          : one.refusal
            ? `Will not renew by itself: ${one.refusal}`
            : one.byItself
              ? 'Renews by itself'
              : 'Nobody began it',
        perVisit: one.perVisitCents,
      },
    })),
    total: count > 0 ? { perVisit: perVisitCents } : null,
    count,
    notes: [],
  }
}

const readers: Record<ReportKind, Read> = { sales, routes, skips, chemicals, aging, payroll, tax, renewals }

export const readRows = async (db: TenantDb, actor: Actor, kind: ReportKind, wanted: Wanted): Promise<Rows> => {
  const found = await readers[kind](db, actor, wanted)
  // the log of applications says itself what of it is not there
  return found.count > found.rows.length && kind !== 'chemicals'
    ? { ...found, notes: [cappedText(found.count), ...found.notes] }
    : found
}
