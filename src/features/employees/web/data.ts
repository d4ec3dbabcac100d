import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { BodyOf, CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { employeesApi } from '../contract.ts'

export type EmployeeDraft = CallInput<typeof employeesApi.create>['body']
export type EmployeeChange = BodyOf<typeof employeesApi.update>
export type CrewDraft = CallInput<typeof employeesApi.createCrew>['body']
export type CrewChange = BodyOf<typeof employeesApi.updateCrew>

export const employeesQuery = (filter: { search?: string; status: 'active' | 'disabled' | 'all' }) =>
  queryOptions({
    queryKey: ['crews', 'people', filter],
    queryFn: ({ signal }) => call(employeesApi.list, { query: filter }, { signal }),
  })

export const crewsQuery = queryOptions({
  queryKey: ['crews', 'list'],
  queryFn: ({ signal }) => call(employeesApi.crews, { query: {} }, { signal }),
})

const useRefresh = () => {
  const client = useQueryClient()
  return { onSettled: () => client.invalidateQueries({ queryKey: ['crews'] }) }
}

export const useAddEmployee = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: EmployeeDraft, key) => call(employeesApi.create, { body }, { idempotencyKey: key }),
  })

export const useChangeEmployee = (id: string) =>
  useMutation({
    ...useRefresh(),
    mutationFn: (body: EmployeeChange) => call(employeesApi.update, { params: { id }, body }),
  })

export const useSetActive = (id: string) =>
  useMutation({
    ...useRefresh(),
    mutationFn: (active: boolean) =>
      call(active ? employeesApi.reactivate : employeesApi.deactivate, { params: { id } }),
  })

export const useAddCrew = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: CrewDraft, key) => call(employeesApi.createCrew, { body }, { idempotencyKey: key }),
  })

export const useChangeCrew = (id: string) =>
  useMutation({
    ...useRefresh(),
    mutationFn: (body: CrewChange) => call(employeesApi.updateCrew, { params: { id }, body }),
  })

export const useArchiveCrew = (id: string) =>
  useMutation({ ...useRefresh(), mutationFn: () => call(employeesApi.archiveCrew, { params: { id } }) })
