import { recordParam } from '../../../shared/links.ts'
import { type Source, type Stage, sources, stages } from '../rules.ts'
import type { Filter } from './data.ts'

const uuid = /^[0-9a-f-]{36}$/i
const sorts = ['created', 'name', 'next'] as const

/** What the address says of the funnel: filter, how it is shown, order, the open lead. Unknown values are as if they were not there. */
export const readPlace = (params: URLSearchParams) => {
  const get = (key: string) => params.get(key) ?? ''
  const search = get('search').slice(0, 100)
  const stage = stages.find((one) => one === get('stage')) as Stage | undefined
  const source = sources.find((one) => one === get('source')) as Source | undefined
  const assignee = get('assigneeId')
  const assigneeId = assignee === 'none' || uuid.test(assignee) ? assignee : undefined
  const due = get('due') === 'reply' || get('due') === 'today' ? (get('due') as 'reply' | 'today') : undefined
  const filter: Filter = {
    ...(search ? { search } : {}),
    ...(source ? { source } : {}),
    ...(assigneeId ? { assigneeId } : {}),
    ...(due ? { due } : {}),
    ...(get('area') === 'out' ? { area: 'out' as const } : {}),
  }
  return {
    filter,
    stage,
    as: get('as') === 'table' ? ('table' as const) : ('board' as const),
    sort: sorts.find((one) => one === get('sort')) ?? ('created' as const),
    order: get('order') === 'asc' ? ('asc' as const) : ('desc' as const),
    narrowed: Boolean(search || source || assigneeId || due || stage || get('area')),
    leadId: get(recordParam.lead) || null,
  }
}
export type Place = ReturnType<typeof readPlace>
