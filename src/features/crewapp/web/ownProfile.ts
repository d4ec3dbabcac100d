import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../shared/client.ts'
import { dayOf } from '../../../shared/dates.ts'
import { isTourPath } from '../../../shared/tour.ts'
import { crewappApi, type Employee } from '../contract.ts'

type Kept = Pick<Employee, 'crews' | 'business'> & { day: string }

/** The number goes up when what is kept has another shape. */
const keyOf = (userId: string): string => `swath-profile-1:${userId}`

const kept = (userId: string): Kept | null => {
  if (isTourPath(window.location.pathname)) return null
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

const keep = (userId: string, { crews, business }: Employee): void => {
  if (isTourPath(window.location.pathname)) return
  try {
    const day = dayOf(Date.now(), business.timeZone)
    localStorage.setItem(keyOf(userId), JSON.stringify({ crews, business, day } satisfies Kept))
  } catch {
    // A full phone shows them only with a signal.
  }
}

const load = async (userId: string, signal: AbortSignal): Promise<Employee> => {
  const { employee } = await call(crewappApi.profile, {}, { signal, retries: 0 })
  keep(userId, employee)
  return employee
}

const patienceMs = 15_000

/** Has it on the phone as it is today, also where nobody has opened the profile: the office's number is needed where there is no signal. */
export const keepOwnProfile = async (userId: string, today: string): Promise<void> => {
  if (kept(userId)?.day !== today) await load(userId, AbortSignal.timeout(patienceMs))
}

/** One's own crews and the office's number: from the server, without a signal as this phone last had them. */
export const useOwnProfile = (userId: string) => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['crews', 'employee-profile', userId],
    queryFn: ({ signal }) => load(userId, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])),
    staleTime: 300_000,
  })
  const before = useMemo(() => kept(userId), [userId])
  const profile = data ?? before
  return { profile, failed: isError && !profile, retry: () => void refetch() }
}
