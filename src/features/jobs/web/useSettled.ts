import { useEffect, useState } from 'react'

/** The value once it has been the same for a moment, so that typing does not ask the server for every letter. */
export const useSettled = <T>(value: T, quietMs = 350): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs)
    return () => clearTimeout(timer)
  }, [value, quietMs])
  return settled
}
