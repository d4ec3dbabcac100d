import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { createKeyRing } from '../shared/keyRing.ts'

type Options<Out, In> = Omit<UseMutationOptions<Out, Error, In>, 'mutationFn'> & {
  /** `key` goes along as the Idempotency-Key. */
  mutationFn: (input: In, key: string) => Promise<Out>
}

/**
 * A mutation that is done once however often it is asked for: the same input keeps its key over doubled clicks, tries and lost answers. Another
 * input, a success, or a clear no of the server begins a new one.
 */
export const useIdempotentMutation = <In, Out>({
  mutationFn,
  ...options
}: Options<Out, In>): UseMutationResult<Out, Error, In> => {
  const ring = useRef<ReturnType<typeof createKeyRing>>(null)
  ring.current ??= createKeyRing()
  const { current } = ring
  return useMutation({ ...options, mutationFn: (input: In) => current.run(input, (key) => mutationFn(input, key)) })
}
