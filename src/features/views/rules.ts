/** Lists that keep views. */
export const hubs = ['jobs', 'customers', 'leads'] as const
export type Hub = (typeof hubs)[number]

/** What a view holds, as the address of its list says it: filter, search and sort. */
export type ViewQuery = Readonly<Record<string, string>>

/** The keys of an address that make a view of a list, each with the value that is as good as none. */
const keysOf: Readonly<Record<Hub, Readonly<Record<string, string>>>> = {
  jobs: {
    view: 'active',
    q: '',
    crewId: '',
    serviceId: '',
    customerId: '',
    batchId: '',
    programId: '',
    season: '',
    sort: 'number.desc',
  },
  customers: {
    q: '',
    stage: '',
    tag: '',
    city: '',
    zip: '',
    hasJob: '',
    noPin: '',
    approximate: '',
    archived: '',
    importId: '',
    custom: '',
    cols: '',
    sort: 'name',
    order: 'asc',
  },
  leads: {
    search: '',
    stage: '',
    source: '',
    assigneeId: '',
    due: '',
    area: '',
    as: '',
    sort: 'created',
    order: 'desc',
  },
}

/** How many views one person may keep of a list. */
export const viewLimit = 50

export const isViewKey = (hub: Hub, key: string): boolean => Object.hasOwn(keysOf[hub], key)

/** What of an address makes a view, in one order and without what is as good as none: the same view is the same text. */
export const viewQueryOf = (hub: Hub, get: (key: string) => string | null | undefined): ViewQuery =>
  Object.fromEntries(
    Object.entries(keysOf[hub]).flatMap(([key, none]) => {
      const value = get(key)?.trim()
      return value && value !== none ? [[key, value]] : []
    }),
  )

/** Whether two views show the same, whatever is as good as none. */
export const isSameView = (hub: Hub, one: ViewQuery, other: ViewQuery): boolean =>
  JSON.stringify(viewQueryOf(hub, (key) => one[key])) === JSON.stringify(viewQueryOf(hub, (key) => other[key]))

/**
 * What an address says of views: the one it shows as it is kept, the one it was changed from with what that one showed then, or that it
 * wants none.
 */
export const viewParam = { saved: 'saved', changedFrom: 'from', seen: 'seen' } as const
/** In place of an id: the list as it is, also where a view is the default. */
export const noView = 'none'

/** A short word for what a view shows: the same for the same view, whatever is as good as none. */
export const markOf = (hub: Hub, query: ViewQuery): string => {
  let mark = 5381
  for (const sign of JSON.stringify(viewQueryOf(hub, (key) => query[key])))
    mark = (Math.imul(mark, 33) ^ (sign.codePointAt(0) ?? 0)) >>> 0
  return mark.toString(36)
}

type Kept = { id: string; query: ViewQuery; isDefault: boolean }
type Place<V> = {
  /** The address with the view written out. */
  params: URLSearchParams
  view: V | null
  /** The address shows the view as it is kept. */
  asSaved: boolean
  /** The address names a view that is not there. */
  missing: boolean
  /** The view shows something else by now than when it was changed here. */
  overtaken: boolean
}

const withoutView = (hub: Hub, params: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...params].filter(([key]) => !isViewKey(hub, key) && !Object.values(viewParam).includes(key as never)),
  )

/** The address of a list, read with the views that there are. */
export const placeOf = <V extends Kept>(hub: Hub, params: URLSearchParams, views: readonly V[]): Place<V> => {
  const saved = params.get(viewParam.saved)
  const from = params.get(viewParam.changedFrom)
  const isBare = ![...params.keys()].some((key) => isViewKey(hub, key))
  const shown =
    saved !== null
      ? views.find(({ id }) => id === saved)
      : from === null && isBare
        ? views.find(({ isDefault }) => isDefault)
        : undefined
  if (shown) {
    const written = withoutView(hub, params)
    for (const [key, value] of Object.entries(shown.query)) written.set(key, value)
    return { params: written, view: shown, asSaved: true, missing: false, overtaken: false }
  }
  const base = views.find(({ id }) => id === from) ?? null
  const seen = params.get(viewParam.seen)
  return {
    params,
    view: base,
    asSaved: false,
    missing: saved !== null && saved !== noView,
    overtaken: base !== null && seen !== null && seen !== markOf(hub, base.query),
  }
}

/**
 * The address after some of it was changed. A view that is changed by it is written out and named as where it came from; one that is met again
 * is named alone, so that a link always shows what is kept.
 */
export const changedPlace = (
  hub: Hub,
  params: URLSearchParams,
  views: readonly Kept[],
  changes: Readonly<Record<string, string | null>>,
): URLSearchParams => {
  const at = placeOf(hub, params, views)
  const touchesView = Object.keys(changes).some((key) => isViewKey(hub, key))
  const next = new URLSearchParams(touchesView ? at.params : params)
  for (const [key, value] of Object.entries(changes)) {
    if (value) next.set(key, value)
    else next.delete(key)
  }
  if (!touchesView) return next
  const query = viewQueryOf(hub, (key) => next.get(key))
  if (at.view && isSameView(hub, query, at.view.query)) return showView(hub, next, at.view.id)
  if (at.view) {
    next.set(viewParam.changedFrom, at.view.id)
    if (at.asSaved) next.set(viewParam.seen, markOf(hub, at.view.query))
  } else if (Object.keys(query).length === 0)
    return showView(hub, next, views.some((view) => view.isDefault) ? noView : null)
  else next.delete(viewParam.saved)
  return next
}

/** The address that shows a kept view, or with `query` one that every business has. */
export const showView = (
  hub: Hub,
  params: URLSearchParams,
  saved: string | null,
  query: ViewQuery = {},
): URLSearchParams => {
  const next = withoutView(hub, params)
  if (saved) next.set(viewParam.saved, saved)
  for (const [key, value] of Object.entries(query)) next.set(key, value)
  return next
}
