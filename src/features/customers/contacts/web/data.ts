import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type ContactChanges, type CustomerContacts, contactsApi, type NewContact } from '../contract.ts'

export const contactsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'contacts', customerId],
    queryFn: ({ signal }) => call(contactsApi.list, { params: { id: customerId } }, { signal }),
  })

/** Adding, changing and removing the contacts of a customer. */
export const useContacts = (customerId: string) => {
  const client = useQueryClient()
  const onSuccess = (contacts: CustomerContacts) => {
    client.setQueryData(contactsQuery(customerId).queryKey, contacts)
    void client.invalidateQueries({ queryKey: ['customers'] })
  }
  const add = useIdempotentMutation({
    mutationFn: (body: z.input<typeof NewContact>, key) =>
      call(contactsApi.add, { params: { id: customerId }, body }, { idempotencyKey: key }),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ id, ...body }: z.input<typeof ContactChanges> & { id: string }) =>
      call(contactsApi.update, { params: { id }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(contactsApi.remove, { params: { id } }),
    onSuccess,
  })
  return { add, update, remove }
}
