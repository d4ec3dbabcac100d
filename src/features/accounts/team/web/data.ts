import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type InviteChannel, teamApi } from '../contract.ts'

export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => call(teamApi.showInvite, { params: { token } }, { signal }),
  })

export const acceptInvite = (token: string, body: CallInput<typeof teamApi.acceptInvite>['body']) =>
  call(teamApi.acceptInvite, { params: { token }, body }, { retries: 0 })

export const signInByPin = (phone: string, pin: string) =>
  call(teamApi.pinSignIn, { body: { phone, pin } }, { retries: 0 })

const useFresh = () => {
  const client = useQueryClient()
  return { onSettled: () => client.invalidateQueries({ queryKey: ['crews'] }) }
}

export const useInvite = (id: string) =>
  useIdempotentMutation({
    ...useFresh(),
    mutationFn: (channel: InviteChannel, key) =>
      call(teamApi.invite, { params: { id }, body: { channel } }, { idempotencyKey: key }),
  })
export const useCancelInvite = (id: string) =>
  useMutation({ ...useFresh(), mutationFn: () => call(teamApi.cancelInvite, { params: { id } }) })
export const useResetPin = (id: string) =>
  useMutation({ ...useFresh(), mutationFn: () => call(teamApi.resetPin, { params: { id } }) })
