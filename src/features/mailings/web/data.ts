import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { mailingsApi } from '../contract.ts'

export type Asked = z.input<typeof mailingsApi.preview.body>
export type Written = z.input<typeof mailingsApi.send.body>

export const previewQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['mailings', 'preview', asked],
    queryFn: ({ signal }) => call(mailingsApi.preview, { body: asked }, { signal }),
  })

export const useMailing = () => {
  const client = useQueryClient()
  const send = useIdempotentMutation({
    mutationFn: (body: Written, key) => call(mailingsApi.send, { body }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
  const stop = useMutation({
    mutationFn: (id: string) => call(mailingsApi.stop, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
  return { send, stop }
}
