import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { recordParam } from '../../../shared/links.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import type { ChangeParams } from '../../../ui/useParams.ts'
import { type ViewRecord, viewsApi } from '../contract.ts'
import { changedPlace, type Hub, noView, placeOf, showView, type ViewQuery, viewParam } from '../rules.ts'

export const viewsQuery = (hub: Hub) =>
  queryOptions({
    queryKey: ['views', hub],
    queryFn: async ({ signal }): Promise<ViewRecord[]> =>
      (await call(viewsApi.list, { query: { hub } }, { signal })).items,
    staleTime: 60_000,
  })

/** What came back stands on the screen before the list is asked for again: the address may name it at once. */
const useKept = (hub: Hub) => {
  const client = useQueryClient()
  return (change: (views: ViewRecord[]) => ViewRecord[]) => {
    client.setQueryData(viewsQuery(hub).queryKey, (views) => change(views ?? []))
    void client.invalidateQueries({ queryKey: viewsQuery(hub).queryKey })
  }
}

export const useSaveView = (hub: Hub) => {
  const keep = useKept(hub)
  return useIdempotentMutation({
    mutationFn: (body: CallInput<(typeof viewsApi)['create']>['body'], key) =>
      call(viewsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: (view) =>
      keep((views) => [
        ...views.filter(({ id }) => id !== view.id).map((one) => (view.isDefault ? { ...one, isDefault: false } : one)),
        view,
      ]),
  })
}

export const useChangeView = (hub: Hub) => {
  const keep = useKept(hub)
  return useIdempotentMutation({
    mutationFn: (input: CallInput<(typeof viewsApi)['update']>, key) =>
      call(viewsApi.update, input, { idempotencyKey: key }),
    onSuccess: (view) => keep((views) => views.map((one) => (one.id === view.id ? view : one))),
  })
}

export const useRemoveView = (hub: Hub) => {
  const keep = useKept(hub)
  return useIdempotentMutation({
    mutationFn: (id: string, key) => call(viewsApi.remove, { params: { id } }, { idempotencyKey: key }),
    onSuccess: (gone) => keep((views) => views.filter(({ id }) => id !== gone.id)),
  })
}

export const useDefaultView = (hub: Hub) => {
  const keep = useKept(hub)
  return useIdempotentMutation({
    mutationFn: (viewId: string | null, key) =>
      call(viewsApi.setDefault, { body: { hub, viewId } }, { idempotencyKey: key }),
    onSuccess: ({ items }) => keep(() => items),
  })
}

const none: readonly ViewRecord[] = []

/** Another view is another list: the record that stands beside this one is closed. */
const recordKeys: Readonly<Record<Hub, readonly string[]>> = {
  jobs: [recordParam.job, recordParam.visit],
  customers: [recordParam.customer, recordParam.part],
  leads: [recordParam.lead],
}
const withoutRecord = (hub: Hub, params: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...params].filter(([key]) => !recordKeys[hub].includes(key)))

/** The address of a list with its kept views read into it, and ways to change it. */
export const useHubView = (hub: Hub) => {
  const [params, setParams] = useSearchParams()
  const found = useQuery(viewsQuery(hub))
  const views = found.data ?? none
  const known = useRef(views)
  known.current = views
  const place = placeOf(hub, params, views)
  // From the address itself: a table may call with the closure of an earlier drawing.
  const now = () => new URLSearchParams(window.location.search)
  const alone = () => withoutRecord(hub, now())
  const change: ChangeParams = (changes, { replace = false } = {}) =>
    setParams(changedPlace(hub, now(), known.current, changes), { replace })
  return {
    ...place,
    hub,
    views,
    /** Views could not be read: the list is shown as its address says. */
    failed: found.isError && !found.data,
    /** What the list shows is not known yet. */
    waiting: found.isPending && (params.has(viewParam.saved) ? params.get(viewParam.saved) !== noView : true),
    change,
    /** The address of a kept view, on this screen. */
    hrefOf: (id: string) => `?${showView(hub, withoutRecord(hub, params), id)}`,
    show: (id: string) => setParams(showView(hub, alone(), id)),
    /** A list that every business has; with a default it has to be asked for by name. */
    showPlain: (query: ViewQuery) => setParams(plainOf(hub, alone(), known.current, query)),
    plainHref: (query: ViewQuery) => `?${plainOf(hub, withoutRecord(hub, params), views, query)}`,
  }
}
export type HubView = ReturnType<typeof useHubView>

const plainOf = (
  hub: Hub,
  params: URLSearchParams,
  views: readonly ViewRecord[],
  query: ViewQuery,
): URLSearchParams => {
  const isBare = Object.keys(query).length === 0
  return showView(hub, params, isBare && views.some((view) => view.isDefault) ? noView : null, query)
}
