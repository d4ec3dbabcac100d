import { recordParam } from '../../../shared/links.ts'
import { useParams } from '../../../ui/useParams.ts'
import { type QuoteView, quoteViews } from '../contract.ts'

export const viewNames: Record<QuoteView, string> = {
  all: 'All',
  draft: 'Drafts',
  noted: 'From the crew',
  waiting: 'With the customer',
  changes: 'Changes asked',
  approved: 'Approved',
  converted: 'Jobs made',
  lost: 'Lost',
  archived: 'Archived',
}

const uuid = /^[0-9a-f-]{36}$/i

/** What the address says of the list of quotes, and a way to change it. Unknown values are as if they were not there. */
export const usePlace = () => {
  const { params, change } = useParams()
  const id = (key: string) => (uuid.test(params.get(key) ?? '') ? params.get(key) : null)
  const view = quoteViews.find((one) => one === params.get('view')) ?? 'all'
  const search = (params.get('search') ?? '').slice(0, 100)
  const customerId = id(recordParam.customer)
  return {
    view,
    search,
    customerId,
    quoteId: id(recordParam.quote),
    narrowed: search !== '' || customerId !== null,
    query: { view, ...(search ? { search } : {}), ...(customerId ? { customerId } : {}) },
    change,
  }
}
