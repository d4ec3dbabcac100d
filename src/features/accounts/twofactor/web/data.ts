import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../../../shared/client.ts'
import { twoFactorApi } from '../contract.ts'

export const twoFactorQuery = queryOptions({
  queryKey: ['me', 'two-factor'],
  queryFn: ({ signal }) => call(twoFactorApi.status, {}, { signal }),
})

const useFresh = () => {
  const client = useQueryClient()
  return { onSettled: () => client.invalidateQueries({ queryKey: ['me'] }) }
}

export const beginTwoFactor = (password: string) => call(twoFactorApi.begin, { body: { password } }, { retries: 0 })

export const useConfirm = () =>
  useMutation({
    ...useFresh(),
    mutationFn: (code: string) => call(twoFactorApi.confirm, { body: { code } }, { retries: 0 }),
  })

export const useRenew = () =>
  useMutation({
    ...useFresh(),
    mutationFn: (code: string) => call(twoFactorApi.renew, { body: { code } }, { retries: 0 }),
  })

export const useDisable = () =>
  useMutation({
    ...useFresh(),
    mutationFn: (body: { password: string; code: string }) => call(twoFactorApi.disable, { body }, { retries: 0 }),
  })

export const useRequire = () =>
  useMutation({ ...useFresh(), mutationFn: (required: boolean) => call(twoFactorApi.require, { body: { required } }) })

export const takeSecondStep = (challenge: string, code: string) =>
  call(twoFactorApi.secondStep, { body: { challenge, code } }, { retries: 0 })

/** The challenge of the second step, when that is what a sign-in answered. */
export const challengeTx = (error: unknown): string | null =>
  error instanceof ApiError && error.code === 'two_factor_required' && typeof error.details.challenge === 'string'
    ? error.details.challenge
    : null
