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

/** A phone on which somebody took an invitation or signed in with a PIN begins with the PIN the next time, also after the session was ended. */
const pinKey = 'swath.signs-in-by-pin'
export const remembersPin = (): boolean => {
  try {
    return localStorage.getItem(pinKey) === '1'
  } catch {
    return false
  }
}
export const rememberPin = (isPin: boolean): void => {
  try {
    if (isPin) localStorage.setItem(pinKey, '1')
    else localStorage.removeItem(pinKey)
  } catch {
    // then the next sign-in begins with the e-mail
  }
}
