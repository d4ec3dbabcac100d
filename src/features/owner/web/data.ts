import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ownerApi } from '../contract.ts'
import { type OwnerCall, useOwner } from './session.ts'

export const twoFactorQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['owner', 'two-factor'],
    queryFn: ({ signal }) => ask(ownerApi.twoFactor, {}, { signal }),
  })

/** A code is good once, so none of these is tried again by itself. */
const once = { retries: 0 }

/** The verbs of the product owner's second step; after each the state is read again. */
export const useTwoFactor = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: ['owner', 'two-factor'] })
  const confirm = useMutation({
    mutationFn: (code: string) => ask(ownerApi.confirmTwoFactor, { body: { code } }, once),
    onSettled,
  })
  const renew = useMutation({
    mutationFn: (code: string) => ask(ownerApi.renewRecoveryCodes, { body: { code } }, once),
    onSettled,
  })
  const disable = useMutation({
    mutationFn: ({ code }: { code: string }) => ask(ownerApi.disableTwoFactor, { body: { code } }, once),
    onSettled,
  })
  return {
    begin: (password: string) => ask(ownerApi.beginTwoFactor, { body: { password } }, once),
    confirm: confirm.mutateAsync,
    renew: renew.mutateAsync,
    disable: disable.mutateAsync,
  }
}
