import { linkTo, recordParam } from '../../../shared/links.ts'
import { useParams } from '../../../ui/useParams.ts'
import { type Age, ageNames } from '../rules.ts'
import type { InvoiceQuery } from './data.ts'

export const views = [
  { id: 'all', name: 'All' },
  { id: 'drafts', name: 'Drafts' },
  { id: 'unsent', name: 'Not sent' },
  { id: 'open', name: 'Open' },
  { id: 'overdue', name: 'Overdue' },
  { id: 'pending', name: 'On its way' },
  { id: 'autopay', name: 'On autopay' },
  { id: 'paid', name: 'Paid' },
  { id: 'void', name: 'Void' },
  { id: 'written_off', name: 'Written off' },
  { id: 'paid_lately', name: 'Paid in 90 days' },
] as const
export type ViewId = (typeof views)[number]['id'] | Age

/** What is open, by how long past its due day; each opens its list. */
export const ageLabels: Record<Age, string> = {
  not_due: 'Not due yet',
  late_30: '1–30 days late',
  late_60: '31–60 days late',
  late_90: '61–90 days late',
  late_more: 'Over 90 days late',
}

const viewIds: readonly ViewId[] = [...views.map(({ id }) => id), ...ageNames]

const uuid = /^[0-9a-f-]{36}$/i
const sorts = ['number', 'due', 'total', 'customer'] as const

/** What the address bar says of the list. Unknown values are as if they were not there. */
export const readPlace = (params: URLSearchParams) => {
  const id = (key: string) => (uuid.test(params.get(key) ?? '') ? (params.get(key) as string) : null)
  const view = viewIds.find((id) => id === params.get('view')) ?? 'all'
  const [by, direction] = (params.get('sort') ?? '').split('.')
  const sort = sorts.find((s) => s === by) ?? 'number'
  const search = (params.get('search') ?? '').slice(0, 100)
  const batchId = id('batch')
  const customerId = id(recordParam.customer)
  const query: InvoiceQuery = {
    view,
    sort,
    order: direction === 'asc' ? 'asc' : 'desc',
    ...(search ? { search } : {}),
    ...(batchId ? { batchId } : {}),
    ...(customerId ? { customerId } : {}),
  }
  return {
    query,
    search,
    batchId,
    customerId,
    // A link that was cut off opens the panel too, which says so.
    invoiceId: params.get(recordParam.invoice) || null,
    disputeId: params.get(recordParam.dispute) || null,
    makesBatch: params.get('batch') === 'new',
    showsExemption: params.get(recordParam.exemption) === '1',
    /** The billing plans in place of the invoices. */
    showsPlans: params.get('plans') === '1',
    /** The payouts in place of the invoices. */
    showsPayouts: params.get('payouts') === '1',
    /** Payments and the other movements of the ledger in place of the invoices. */
    showsLedger: params.has('ledger'),
    /** The statements to all who owe. */
    showsStatements: params.get('statements') === '1',
    makesOne: params.get('new') === '1',
    narrowed: search !== '' || batchId !== null || customerId !== null,
  }
}

export const viewHref = (view: ViewId): string => linkTo.invoices({ view: view === 'all' ? undefined : view })

/** The place, and a way to change parts of it. A null takes a key away. */
export const usePlace = () => {
  const { params, change } = useParams()
  return { ...readPlace(params), change }
}
