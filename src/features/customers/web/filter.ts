import { type CustomersFilter, recordParam } from '../../../shared/links.ts'
import { type ChangeParams, useParams } from '../../../ui/useParams.ts'
import type { CustomerStage } from '../contract.ts'
import { readCustomFilters } from '../custom/rules.ts'
import type { Filter } from './data.ts'

export type ViewId = 'all' | 'active' | 'lead' | 'past' | 'withoutJob' | 'withoutPin' | 'approximate' | 'archived'

/** The views that every business has, and the filter each stands for. */
export const views: readonly { id: ViewId; name: string; query: CustomersFilter }[] = [
  { id: 'all', name: 'All', query: {} },
  { id: 'active', name: 'Active', query: { stage: 'active' } },
  { id: 'lead', name: 'Leads', query: { stage: 'lead' } },
  { id: 'past', name: 'Past', query: { stage: 'past' } },
  { id: 'withoutJob', name: 'Without a job', query: { hasJob: 'false' } },
  { id: 'withoutPin', name: 'No map pin', query: { noPin: 'true' } },
  { id: 'approximate', name: 'Approximate pin', query: { approximate: 'true' } },
  { id: 'archived', name: 'Archived', query: { archived: 'true' } },
]

const viewKeys = ['stage', 'hasJob', 'noPin', 'approximate', 'archived'] as const
const otherKeys = ['q', 'tag', 'city', 'zip', 'importId', 'custom'] as const

/** What clears whatever narrows a view. */
export const notNarrowed = { q: null, tag: null, city: null, zip: null, importId: null, custom: null }

const uuid = /^[0-9a-f-]{36}$/i

/** What the address bar says of the list: filter, order, the open record. Unknown values are as if they were not there. */
export const readPlace = (params: URLSearchParams) => {
  const get = (key: string) => params.get(key) ?? undefined
  const stage = ['lead', 'active', 'past'].find((s) => s === get('stage')) as CustomerStage | undefined
  const yes = (key: string) => (get(key) === 'true' ? true : get(key) === 'false' ? false : undefined)
  const importId = uuid.test(get(recordParam.ofImport) ?? '') ? get(recordParam.ofImport) : undefined
  const customFilters = readCustomFilters(get('custom') ?? '') ?? []
  const filter: Filter = {
    ...(get('q') ? { q: get('q') } : {}),
    ...(stage ? { stage } : {}),
    ...(get('tag') ? { tag: get('tag') } : {}),
    ...(get('city') ? { city: get('city') } : {}),
    ...(get('zip') ? { zip: get('zip') } : {}),
    ...(yes('hasJob') === undefined ? {} : { hasJob: yes('hasJob') }),
    ...(yes('noPin') === undefined ? {} : { noPin: yes('noPin') }),
    ...(yes('approximate') === undefined ? {} : { approximate: yes('approximate') }),
    ...(yes('archived') ? { archived: true } : {}),
    ...(importId ? { importId } : {}),
    ...(customFilters.length > 0 ? { custom: get('custom') } : {}),
  }
  const sort = ['created', 'city'].find((s) => s === get('sort')) as 'created' | 'city' | undefined
  const order = get('order') === 'desc' ? ('desc' as const) : ('asc' as const)
  const current = views.find((view) => viewKeys.every((key) => (view.query[key] ?? undefined) === get(key)))
  // A link that was cut off opens the panel too, which says so.
  const customerId = get(recordParam.customer) || null
  return {
    filter,
    sort: sort ?? ('name' as const),
    order,
    view: current?.id ?? null,
    narrowed: otherKeys.some((key) => get(key)),
    customFilters,
    customerId,
    part: get(recordParam.part) ?? 'overview',
  }
}

export type Place = ReturnType<typeof readPlace> & { params: URLSearchParams; change: ChangeParams }

/** The place, and ways to change parts of it. A null takes a key away. */
export const usePlaceInList = (): Place => {
  const { params, change } = useParams()
  return { ...readPlace(params), params, change }
}
