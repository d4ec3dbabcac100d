import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { Address } from '../../../shared/places.ts'
import { geocodingApi } from '../contract.ts'

export const useFindPlace = () =>
  useMutation({ mutationFn: (address: Address) => call(geocodingApi.find, { body: address }) })

/** Every address without a good place is looked up again. */
export const useLookAgain = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(geocodingApi.again, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: ['customers'] }),
  })
}
