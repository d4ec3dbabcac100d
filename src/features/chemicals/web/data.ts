import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { chemicalsApi } from '../contract.ts'

/** Products, mixes and how the business works with them. */
export const chemicalsQuery = queryOptions({
  queryKey: ['services', 'chemicals'],
  queryFn: ({ signal }) => call(chemicalsApi.catalog, {}, { signal }),
})

type Body<E extends 'addProduct' | 'updateProduct' | 'addMix' | 'updateMix' | 'setRules'> = CallInput<
  (typeof chemicalsApi)[E]
>['body']

/** Adds and changes products and mixes, puts them away and brings them back. */
export const useChemicals = () => {
  const client = useQueryClient()
  const onSettled = () => {
    void client.invalidateQueries({ queryKey: ['services'] })
    void client.invalidateQueries({ queryKey: ['visits'] })
  }
  const addProduct = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'addProduct'>, key) => call(chemicalsApi.addProduct, { body }, { idempotencyKey: key }),
  })
  const changeProduct = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Body<'updateProduct'> & { id: string }, key) =>
      call(chemicalsApi.updateProduct, { params: { id }, body }, { idempotencyKey: key }),
  })
  const addMix = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'addMix'>, key) => call(chemicalsApi.addMix, { body }, { idempotencyKey: key }),
  })
  const changeMix = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Body<'updateMix'> & { id: string }, key) =>
      call(chemicalsApi.updateMix, { params: { id }, body }, { idempotencyKey: key }),
  })
  const setRules = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'setRules'>, key) => call(chemicalsApi.setRules, { body }, { idempotencyKey: key }),
  })
  return { addProduct, changeProduct, addMix, changeMix, setRules }
}
