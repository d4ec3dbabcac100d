import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useSession } from '../../web/session.ts'
import { type Device, type Me, meApi } from '../contract.ts'

export const meQuery = queryOptions({
  queryKey: ['crews', 'me'],
  queryFn: ({ signal }) => call(meApi.get, {}, { signal }),
})

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => call(meApi.devices, {}, { signal }),
})

/** Saves the own details; the shell shows the new name at once. */
export const useChangeMe = () => {
  const client = useQueryClient()
  const session = useSession()
  return useMutation({
    mutationFn: (body: Partial<Pick<Me, 'name' | 'phone' | 'language' | 'version'>>) => call(meApi.update, { body }),
    onSuccess: ({ profile }) => {
      client.setQueryData(meQuery.queryKey, profile)
      void session.refreshUser()
    },
    onError: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
}

const useStoreMe = () => {
  const client = useQueryClient()
  return (me: Me) => client.setQueryData(meQuery.queryKey, me)
}

export const useAskForEmail = () =>
  useMutation({
    mutationFn: (body: { email: string; password: string }) => call(meApi.changeEmail, { body }),
    onSuccess: useStoreMe(),
  })

export const useCancelEmailChange = () =>
  useMutation({ mutationFn: () => call(meApi.cancelEmailChange, {}), onSuccess: useStoreMe() })

export const resendVerification = () => call(meApi.resendVerification, {})

export const useChangePassword = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { currentPassword: string; password: string }) => call(meApi.changePassword, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  })
}

export const useEndDevice = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(meApi.endDevice, { params: { id } }),
    onSuccess: (devices: { items: Device[] }) => client.setQueryData(devicesQuery.queryKey, devices),
    onError: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  })
}

export const useSignOutOthers = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(meApi.signOutEverywhere, { body: { exceptThisDevice: true } }),
    onSettled: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  })
}

/** Ends every session of the person, this one last. */
export const signOutEverywhere = () => call(meApi.signOutEverywhere, { body: { exceptThisDevice: false } })
