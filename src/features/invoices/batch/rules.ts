import type { Day } from '../../../shared/dates.ts'
import type { TaxPlace, TaxRule } from '../../businesses/taxes/rules.ts'
import type { TaxExempt } from '../exemptions/rules.ts'
import {
  type ExceptionReason,
  exceptionReasons,
  type Grouping,
  groupKey,
  invoiceTotals,
  type LineDraft,
  noEmailNote,
  type Totals,
} from '../rules.ts'

/** What one batch takes, and what is listed of what it leaves out: in all, and of one job. The rest comes up when these are settled. */
export const mostInBatch = { visits: 5_000, ofJob: 200 }
export const mostLeftOut = { visits: 500, ofJob: 20 }

/**
 * Cuts a list that may be one longer than `most` allows, of each job and in all; a customer is not cut in two unless it is the only one.
 * @param found in the order in which they are taken, the visits of a job beside each other
 */
export const cutToMost = <V extends { jobId: string; customerId: string }>(
  found: readonly V[],
  most: { visits: number; ofJob: number },
): { visits: V[]; more: boolean } => {
  const last = found.length > most.visits ? found[most.visits]?.customerId : undefined
  const whole = last === undefined ? found : found.filter(({ customerId }) => customerId !== last)
  const fit = whole.length > 0 ? whole : found.slice(0, most.visits)
  const visits = [...Map.groupBy(fit, ({ jobId }) => jobId).values()].flatMap((list) => list.slice(0, most.ofJob))
  return { visits, more: visits.length < found.length }
}

export type BillableVisit = {
  id: string
  day: string | null
  customerId: string
  propertyId: string
  place: string
  billing: string
  customerName: string
  /** Whether anything goes to its customer, by mail or text. */
  isReached: boolean
  holdInvoices: boolean
  taxExempt: TaxExempt
  invoiceGrouping: string | null
  /** By which place it is taxed. */
  taxPlace: TaxPlace
}
export type BillableLine = {
  id: string
  visitId: string
  serviceId: string
  name: string
  description: string
  quantity: number
  unitPriceCents: number
  taxCategory: string
  /** It counts against a billing plan, so its visit does not bill it. */
  covered?: boolean
}

export type PlannedInvoice<V extends BillableVisit> = {
  key: string
  visits: V[]
  lines: (BillableLine & { visit: V })[]
  totals: Totals
  note: string | null
}
export type PlannedException<V extends BillableVisit> = { visit: V; reason: ExceptionReason; message: string }

/** What of a visit is billed by it. */
export const billedLines = <L extends { covered?: boolean }>(lines: readonly L[]): L[] =>
  lines.filter(({ covered }) => !covered)

const exceptionOf = (visit: BillableVisit, lines: readonly BillableLine[]): ExceptionReason | null => {
  if (visit.billing !== 'per_visit') return 'not_per_visit'
  if (visit.holdInvoices) return 'on_hold'
  if (lines.length > 0 && lines.every(({ covered }) => covered)) return 'covered'
  return invoiceTotals(billedLines(lines)).subtotalCents > 0 ? null : 'no_price'
}

/**
 * Cuts finished visits into invoices: by customer unless the customer or the wish says otherwise; what cannot be billed is named with its reason.
 * @param options.grouping what the person chose for all; null follows each customer
 * @param options.today the day by which a visit without a day is taxed
 * @param options.keyOf which invoice a visit goes on, where that was settled before
 */
export const planBatch = <V extends BillableVisit>(
  visits: readonly V[],
  lines: readonly BillableLine[],
  options: { grouping: Grouping | null; taxes: readonly TaxRule[]; today: Day; keyOf?: (visit: V) => string },
): { invoices: PlannedInvoice<V>[]; exceptions: PlannedException<V>[] } => {
  const linesOf = Map.groupBy(lines, (line) => line.visitId)
  const exceptions: PlannedException<V>[] = []
  const groups = new Map<string, V[]>()
  for (const visit of visits) {
    const reason = exceptionOf(visit, linesOf.get(visit.id) ?? [])
    if (reason) {
      exceptions.push({ visit, reason, message: exceptionReasons[reason] })
      continue
    }
    const key =
      options.keyOf?.(visit) ??
      groupKey(visit, options.grouping ?? (visit.invoiceGrouping as Grouping | null) ?? 'customer')
    groups.set(key, [...(groups.get(key) ?? []), visit])
  }
  const invoices = [...groups].map(([key, members]) => {
    const own = members.flatMap((visit) =>
      billedLines(linesOf.get(visit.id) ?? []).map((line) => ({
        ...line,
        visit,
        place: visit.taxPlace,
        serviceOn: visit.day,
        taxExempt: visit.taxExempt,
      })),
    )
    const first = members[0]!
    return {
      key,
      visits: members,
      lines: own,
      totals: invoiceTotals(own, { taxes: options.taxes, today: options.today }),
      note: first.isReached ? null : noEmailNote,
    }
  })
  return { invoices, exceptions }
}

type ChosenGroup = {
  key: string
  note: string | null
  visits: readonly { id: string; day: Day; taxPlace: TaxPlace; taxExempt: TaxExempt; lines: readonly LineDraft[] }[]
}
export type ChosenTotals = {
  invoiceCount: number
  visitCount: number
  totalCents: number
  taxCents: number
  mailedCount: number
  /** By the group's key; a group of which nothing is left has none. */
  groups: Map<string, { visitCount: number; taxCents: number; totalCents: number }>
}

/** What a previewed batch comes to when single visits are left out, by the same sums that the server will do. */
export const totalsOfChosen = (
  groups: readonly ChosenGroup[],
  taxes: readonly TaxRule[],
  except: ReadonlySet<string>,
): ChosenTotals => {
  const chosen: ChosenTotals = {
    invoiceCount: 0,
    visitCount: 0,
    totalCents: 0,
    taxCents: 0,
    mailedCount: 0,
    groups: new Map(),
  }
  for (const group of groups) {
    const visits = group.visits.filter((visit) => !except.has(visit.id))
    if (visits.length === 0) continue
    const totals = invoiceTotals(
      visits.flatMap((visit) =>
        visit.lines.map((line) => ({
          ...line,
          place: visit.taxPlace,
          serviceOn: visit.day,
          taxExempt: visit.taxExempt,
        })),
      ),
      { taxes },
    )
    chosen.groups.set(group.key, {
      visitCount: visits.length,
      taxCents: totals.taxCents,
      totalCents: totals.totalCents,
    })
    chosen.invoiceCount += 1
    chosen.visitCount += visits.length
    chosen.totalCents += totals.totalCents
    chosen.taxCents += totals.taxCents
    if (group.note === null) chosen.mailedCount += 1
  }
  return chosen
}
