import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'

/** A value as it is once nobody has changed it for a moment. Told apart by what it says, so that a new object of the same words changes nothing. */
export const useRested = <T>(value: T, waitMs: number): T => {
  const [said] = useDebouncedValue(JSON.stringify(value), waitMs)
  return useMemo(() => JSON.parse(said) as T, [said])
}
