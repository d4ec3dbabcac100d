import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { answersApi } from '../../../answers/contract.ts'
import { type MessageTemplate, messageTemplatesApi } from '../contract.ts'

export const templatesQuery = queryOptions({
  queryKey: ['messages', 'templates'],
  queryFn: ({ signal }) => call(messageTemplatesApi.list, {}, { signal }),
})

/** What can be said to a customer: values of templates, and answers to what waits. */
export const answersQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['messages', 'answers', customerId],
    queryFn: ({ signal }) => call(answersApi.get, { params: { id: customerId } }, { signal }),
    meta: { live: { topics: ['messages', 'visits', 'invoices', 'customers'], everyMs: 5_000 } },
  })

const useChange = <In, Out>(send: (input: In, key: string) => Promise<Out>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  })
}

export type TemplateWords = Pick<MessageTemplate, 'name' | 'textEn' | 'textEs' | 'subjectEn' | 'subjectEs'>

export const useCreateTemplate = () =>
  useChange((body: TemplateWords, key) => call(messageTemplatesApi.create, { body }, { idempotencyKey: key }))

export const useUpdateTemplate = () =>
  useChange(({ id, ...body }: Partial<TemplateWords> & { id: string; version: number }, key) =>
    call(messageTemplatesApi.update, { params: { id }, body }, { idempotencyKey: key }),
  )

export const useArchiveTemplate = () =>
  useChange(({ id, version }: { id: string; version: number }, key) =>
    call(messageTemplatesApi.archive, { params: { id }, body: { version } }, { idempotencyKey: key }),
  )

export const useRestoreTemplate = () =>
  useChange((id: string, key) => call(messageTemplatesApi.restore, { params: { id } }, { idempotencyKey: key }))

export const usePayLink = (customerId: string) =>
  useIdempotentMutation({
    mutationFn: (_: null, key) => call(answersApi.payLink, { params: { id: customerId } }, { idempotencyKey: key }),
  })
