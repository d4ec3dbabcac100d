import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type EquipmentDetail, equipmentApi } from '../contract.ts'

export const equipmentQuery = (archived = false) =>
  queryOptions({
    queryKey: ['equipment', 'list', archived],
    queryFn: ({ signal }) => call(equipmentApi.list, { query: archived ? { archived: 'true' } : {} }, { signal }),
    meta: { live: { topics: ['equipment', 'crews'] } },
  })

export const onePieceQuery = (id: string) =>
  queryOptions({
    queryKey: ['equipment', 'one', id],
    queryFn: ({ signal }) => call(equipmentApi.get, { params: { id } }, { signal }),
    meta: { live: { topics: ['equipment', 'crews', 'expenses'] } },
  })

type Verb = Exclude<keyof typeof equipmentApi, 'list' | 'get' | 'create'>
type BodyOf<V extends Verb> = CallInput<(typeof equipmentApi)[V]> extends { body: infer B } ? B : never

const useRefresh = () => {
  const client = useQueryClient()
  return (saved: EquipmentDetail) => {
    client.setQueryData(onePieceQuery(saved.id).queryKey, saved)
    for (const queryKey of [['equipment', 'list'], ['equipment', 'checks'], ['dashboard'], ['expenses']])
      void client.invalidateQueries({ queryKey })
  }
}

export const useAddEquipment = () =>
  useIdempotentMutation({
    mutationFn: (body: CallInput<typeof equipmentApi.create>['body'], key) =>
      call(equipmentApi.create, { body }, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

/** One of the things that can be done with a piece of equipment; each answers the whole piece. */
export const usePiece = <V extends Verb>(id: string, verb: V) =>
  useIdempotentMutation({
    mutationFn: (body: BodyOf<V>, key): Promise<EquipmentDetail> =>
      call(equipmentApi[verb], { params: { id }, body } as never, { idempotencyKey: key }) as Promise<EquipmentDetail>,
    onSuccess: useRefresh(),
  })
