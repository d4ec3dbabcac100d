import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { identityApi } from '../contract.ts'

export const finishQuery = (code: string) =>
  queryOptions({
    // A query, so that the code is traded once however often the page is drawn.
    queryKey: ['google-finish', code],
    queryFn: () => call(identityApi.finish, { body: { code } }, { retries: 0 }),
    enabled: code !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

export const proveByPassword = (code: string, password: string) =>
  call(identityApi.proveByPassword, { body: { code, password } }, { retries: 0 })
export const proveByMail = (code: string) => call(identityApi.proveByMail, { body: { code } }, { retries: 0 })
export const connectByLink = (token: string) => call(identityApi.connectByLink, { body: { token } }, { retries: 0 })
export const registerWithGoogle = (body: CallInput<typeof identityApi.register>['body']) =>
  call(identityApi.register, { body }, { retries: 0 })

export const googleQuery = queryOptions({
  queryKey: ['me', 'google'],
  queryFn: ({ signal }) => call(identityApi.status, {}, { signal }),
})
export const beginConnect = (password: string) => call(identityApi.connect, { body: { password } }, { retries: 0 })
export const useDisconnect = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(identityApi.disconnect, {}),
    onSettled: () => client.invalidateQueries({ queryKey: ['me'] }),
  })
}
